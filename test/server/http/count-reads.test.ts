import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { methodsOf } from './openapi/declared.js';

describe('the reads of a network', () => {
  let test: TestBoard;

  beforeEach(async () => {
    const limits = { reads_per_network_minute: 3 };
    test = await startBoard({ limits });
  });

  afterEach(() => test.stop());

  const read = async (path: string) =>
    (await test.as('203.0.113.7').get(path)).status;

  const readWritePaths = async () => {
    for (const [template, methods] of methodsOf(test)) {
      if (methods.includes('get')) continue;
      const path = template.replace(/\{\w+\}/g, '1');
      const answer = await test.as('203.0.113.7').get(path);
      expect(answer.status, path).to.equal(405);
      expect(answer.headers).not.to.have.property('ratelimit');
    }
  };

  it('are not spent by reading a write path', async () => {
    for (let n = 0; n < 5; n += 1) await readWritePaths();
    const reads = [1, 2, 3, 4].map(() => read('/api/rooms'));
    expect((await Promise.all(reads)).sort()).to.deep.equal([
      200, 200, 200, 429,
    ]);
    await readWritePaths();
  });
});
