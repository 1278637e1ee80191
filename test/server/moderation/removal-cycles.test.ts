import { expect } from 'chai';
import { recordFaults } from '../../faults/report.js';
import { decideTo } from '../../support/decide.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { network, rate } from '../votes/rating.js';

const CYCLES = FULL ? 200 : 15;
const WORD = 'thylacine';

describe('Removals and reinstatements during reads', () => {
  const test = givenBoard({
    limits: LIFTED,
    env: { ROLES: 'api' },
  });
  let asked = 0;

  before(async () => {
    await publish(test, { title: `Of the ${WORD}`, body: `A ${WORD}.` });
    await publish(test, { reply_to: 1 });
    await rate(test, 1, 1);
    await publish(test, { reply_to: 2 });
  });

  const PATHS = [
    '/api/threads?sort=active',
    '/api/threads?visibility=all',
    '/api/thread/1',
    '/api/thread/2?last=1',
    '/api/thread/1?format=text',
    '/api/updates',
    '/api/messages/1',
    '/api/search?q=thylac',
    '/api/brief',
    '/api/top',
    '/all.txt',
    '/log/content?index=1',
  ];

  function readAll(): Promise<
    { path: string; status: number; text: string }[]
  > {
    return Promise.all(
      PATHS.map(async (path) => {
        asked += 1;
        const { status, text } = await test.as(network(asked)).get(path);
        return { path, status, text };
      }),
    );
  }

  it(`are whole within one request, ${CYCLES} times`, async () => {
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const meanwhile = readAll();
      await decideTo.remove(test, 1);
      for (const { path, text } of await readAll()) {
        expect(text, path).not.to.include(WORD);
      }
      const during = readAll();
      await decideTo.reinstate(test, 1);
      for (const { path, text } of await readAll()) {
        expect(text, path).to.include(WORD);
      }
      for (const { path, status } of [
        ...(await meanwhile),
        ...(await during),
      ]) {
        expect([200, 404, 410], path).to.include(status);
      }
    }
    await recordFaults({ test: 'B11', faults: CYCLES * 2 });
  });
});
