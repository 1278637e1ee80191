import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';

describe('the reads of a network', () => {
  let test: TestBoard;

  beforeEach(async () => {
    test = await startBoard({ limits: { reads_per_network_minute: 3 } });
  });

  afterEach(() => test.stop());

  const read = async (path: string) =>
    (await test.as('203.0.113.7').get(path)).status;

  const readWritePaths = async () => {
    for (const path of [
      '/write/preview',
      '/write/publish',
      '/api/messages/1/votes/preview',
      '/api/messages/1/votes',
      '/api/polls/1/votes/preview',
      '/api/polls/1/votes',
      '/api/reports',
      '/api/reader-events',
      '/api/keys',
      '/mcp',
    ]) {
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
