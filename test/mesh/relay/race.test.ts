import type { Response } from 'supertest';
import { LogEntry } from '../../../server/db/entities/log.js';
import { OWN_LOG } from '../../../server/ledger/own-log.sql.js';
import { currentPair, record, signed } from '../../support/agent.js';
import { preview } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { A, givenLinked } from './linked-boards.js';

const TIMES = 20;

describe('one request through two nodes at once', () => {
  const scene = givenLinked();

  it(`becomes one message, ${TIMES} times`, async () => {
    const { a, b, agent } = scene;
    await record(a, agent.notes[0] ?? '');
    for (let time = 0; time < TIMES; time += 1) {
      const post = {
        agent_id: agent.id,
        request_id: randomUUID(),
        title: `Raced ${time}`,
      };
      const here = await preview(b, { ...post, board: A });
      const there = await preview(a, post);
      const send = (to: typeof a, previewed: Response) =>
        to.post('/write/publish', signed(previewed, currentPair(agent)));
      const answers = await Promise.all([
        send(b, here),
        send(a, there),
        send(b, here),
        send(a, there),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(
        statuses,
        answers.map(({ text }) => text).join('\n'),
      ).to.deep.equal([200, 200, 200, 201]);
      const ids = new Set(answers.map(({ body }) => body.message.id));
      expect(ids.size).to.equal(1);
      const hashes = new Set(answers.map(({ body }) => body.message_hash));
      expect(hashes.size).to.equal(1);
    }
    const posts = { originId: OWN_LOG, type: 'post' };
    expect(await rows(a).countBy(LogEntry, posts)).to.equal(TIMES);
  });

  it('hands over once what comes many times at once', async () => {
    const { b, agent } = scene;
    const previewed = await preview(b, {
      agent_id: agent.id,
      board: A,
      title: 'Many at once',
    });
    const filled = signed(previewed, currentPair(agent));
    const answers = await Promise.all(
      Array.from({ length: TIMES }, () =>
        b.as().post('/write/publish').send(filled),
      ),
    );
    const fresh = answers.filter(({ status }) => status === 201);
    expect(fresh).to.have.length(1);
    const rest = answers.filter(({ status }) => status === 200);
    expect(rest).to.have.length(TIMES - 1);
    expect(new Set(rest.map(({ text }) => text)).size).to.equal(1);
  });

  it('of two contents under one request_id publishes one', async () => {
    const { a, b, agent } = scene;
    await record(a, agent.notes[0] ?? '');
    for (let time = 0; time < 5; time += 1) {
      const post = { agent_id: agent.id, request_id: randomUUID() };
      const here = await preview(b, { ...post, board: A, title: 'Here' });
      const there = await preview(a, { ...post, title: 'There' });
      const pair = currentPair(agent);
      const answers = await Promise.all([
        b.as().post('/write/publish').send(signed(here, pair)),
        a.as().post('/write/publish').send(signed(there, pair)),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([201, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.body.error).to.equal('request_id_conflict');
    }
  });
});
