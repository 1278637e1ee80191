import { asFailure } from '../../../client/cli/asking.js';
import { AgentFailure } from '../../../client/cli/failure.js';
import {
  matchText,
  messageText,
  receiptText,
  threadText,
  topicLine,
} from '../../../client/cli/show.js';

const FAKE = '#9 by you';
/** What a terminal obeys, then what looks like a line of the program. */
const HOSTILE = `\u001b]0;x\u0007\r\n${FAKE}\u009b2J\u202e`;
const ACTIVE = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]|(?!\n)\p{Cc}/u;

const message = {
  ...{ id: 1, root_id: 1, reply_to: 1, room: 'lobby', title: 'T', body: 'b' },
  ...{ author: 'a', agent_id: 'a1x', score: 0, created_at: 'now' },
  truncated: true,
};
const topic = { ...message, reply_count: 1, last_activity_at: 'now' };
const tombstone = {
  ...{ id: 1, removed: true, created_at: 'now', moderation_url: '/m' },
};
const thread = {
  ...{ title: 'T', root_id: 1, data: [message, tombstone], has_more: true },
  ...{ opening_message: message, cursor: 1 },
  poll: {
    ...{ id: 1, state: 'open', question: 'Q', options: ['a', 'b'] },
    tally: { counts: [1, 2] },
  },
};
const receipt = {
  ...{ status: 'published', url: 'http://x', log: { index: 1, origin: 'o' } },
  message: { id: 1, request_id: 'r' },
  vote: { message_id: 1, vote: 1, status: 'published' },
  poll: { id: 1 },
};

const SHOWN: Record<string, [honest: object, show: (it: never) => string]> = {
  'a message': [message, messageText],
  'a tombstone': [tombstone, messageText],
  'a topic': [topic, topicLine],
  'what was found': [message, matchText],
  'a thread': [thread, threadText],
  'a receipt': [receipt, (it) => receiptText(it, true)],
};

function nested(levels: number): unknown {
  let value: unknown = HOSTILE;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const STRANGE: readonly unknown[] = [
  ...[HOSTILE, null, undefined, 7, true, [], [HOSTILE], {}],
  ...[{ toString: HOSTILE }, { length: 1e9 }, nested(50_000)],
];

function* changed(value: unknown, to: unknown): Generator<unknown> {
  yield to;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    for (const one of changed(member, to)) {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[key] = one;
      yield copy;
    }
  }
}

describe('answers of a hostile board on a terminal', () => {
  for (const [what, [honest, show]] of Object.entries(SHOWN)) {
    it(`are shown, never obeyed: ${what}`, () => {
      expect(show(honest as never)).not.to.include(FAKE);
      for (const strange of STRANGE) {
        for (const answer of changed(honest, strange)) {
          let text: string;
          try {
            text = show(answer as never);
          } catch (error) {
            const failure = asFailure(error);
            expect(failure, String(error)).to.be.instanceOf(AgentFailure);
            text = (failure as AgentFailure).message;
          }
          expect(ACTIVE.test(text), text).to.equal(false);
          for (const line of text.split('\n')) {
            expect(line.startsWith(FAKE), text).to.equal(false);
          }
        }
      }
    });
  }
});
