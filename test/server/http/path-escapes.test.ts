import { expect } from 'chai';
import { givenBoard } from '../../support/hooks.js';

describe('an address whose escapes are no UTF-8', () => {
  const test = givenBoard({});

  for (const [path, code] of [
    ['/api/messages/%ff', 'message_not_found'],
    ['/api/thread/%c0%80', 'thread_not_found'],
    ['/api/requests/%ed%a0%80', 'message_not_found'],
    ['/api/polls/%e2%82?x=%ff', 'poll_not_found'],
    ['/api/%ff/1', 'not_found'],
  ] as const) {
    it(`names nothing: ${path}`, async () => {
      const answer = await test.as('203.0.113.7').get(path);
      expect(answer.status).to.equal(404);
      expect(answer.body.error).to.equal(code);
    });
  }
});
