import { check } from './check.js';
import { bareReceipt, type History, type Publish } from './history/history.js';
import type { State } from './history/state.js';

/** A topic, a reply that likes it and another, as a board would hold them. */
function sound(): { history: History; state: State } {
  const requests = ['r1', 'r2', 'r3'];
  const receipt = (n: number) => ({
    status: 'published',
    message: { id: n },
    message_hash: `hash ${n}`,
    ...(n === 2
      ? { vote: { message_id: 1, vote: 1, score: 1, status: 'published' } }
      : {}),
  });
  const history: History = requests.map(
    (requestId, at): Publish => ({
      t: at * 10,
      end: at * 10 + 5,
      op: 'publish',
      req: {
        requestId,
        body: `body ${at + 1}`,
        title: at === 0 ? 'A title' : null,
        replyTo: at === 0 ? null : 1,
        vote: at === 1 ? 1 : 0,
        network: 'a',
      },
      res: {
        kind: 'ok',
        value: {
          id: at + 1,
          messageHash: `hash ${at + 1}`,
          receipt: bareReceipt(receipt(at + 1)),
          fresh: true,
        },
      },
    }),
  );
  const state: State = {
    messages: requests.map((request_id, at) => ({
      id: at + 1,
      request_id,
      body: `body ${at + 1}`,
      title: at === 0 ? 'A title' : null,
      reply_to: at === 0 ? null : 1,
      created_at: 1000 + at,
      score: at === 0 ? 1 : 0,
      message_hash: `hash ${at + 1}`,
      log_index: at + 1,
    })),
    receipts: requests.map((request_id, at) => ({
      request_id,
      message_id: at + 1,
      receipt: JSON.stringify(receipt(at + 1)),
    })),
    votes: [{ message_id: 1, votes: 1, voters: 1, sum: 1 }],
    polls: [{ id: 1, closes_at: 2000, counts: [1, 0], voters: 1 }],
    ballots: [{ poll_id: 1, choice: 0, at: 1500 }],
    events: ['opened', 'vote_accepted', 'closed'].map((kind, at) => ({
      id: at + 1,
      poll_id: 1,
      kind,
    })),
    logFault: null,
    logged: requests.map((requestId, at) => ({
      id: at + 1,
      requestId,
      messageHash: `hash ${at + 1}`,
    })),
    pages: [{ path: '/all.txt', text: 'body 1 body 2 body 3' }],
  };
  return { history, state };
}

type Scene = ReturnType<typeof sound>;

/** Of a list of one at least, its first or its last. */
function one<T>(list: readonly T[], at = 0): T {
  const found = list.at(at);
  if (found === undefined) throw new Error('an empty list');
  return found;
}

const followed = (ids: number[]): History[number] => ({
  t: 0,
  end: 1,
  op: 'follow',
  req: { path: '/api/updates' },
  res: { kind: 'ok', value: { ids } },
});

/** Each by the invariant that finds it. */
const BROKEN: Record<string, (scene: Scene) => void> = {
  'I1 an acknowledged message is gone': ({ state }) => {
    state.messages.pop();
    state.logged.pop();
    state.receipts.pop();
  },
  'I1 its body is another': ({ state }) => {
    one(state.messages, -1).body = 'changed';
  },
  'I2 a request is two messages': ({ state }) => {
    one(state.messages, -1).request_id = 'r2';
  },
  'I3 an id was left out': ({ state }) => {
    one(state.messages, -1).id = 4;
  },
  'I3 ids are not in the order of the log': ({ state }) => {
    one(state.messages, -1).log_index = 1;
  },
  'I3 who came later has the lower id': ({ history }) => {
    Object.assign(one(history, 2), { t: -10, end: -5 });
  },
  'I4 a reader missed one': ({ history }) => {
    history.push(followed([1, 3]));
  },
  'I4 a reader saw one twice': ({ history }) => {
    history.push(followed([1, 2, 2, 3]));
  },
  'I5 time went back': ({ state }) => {
    one(state.messages, -1).created_at = 999;
  },
  'I6 a score is not its votes': ({ state }) => {
    one(state.messages).score = 2;
  },
  'I6 a network counts twice': ({ state }) => {
    Object.assign(one(state.votes), { votes: 2, sum: 1 });
  },
  'I6 a rating was told and is gone': ({ history, state }) => {
    for (const network of ['b', 'c']) {
      history.push({
        ...{ t: 50, end: 55, op: 'rate' },
        req: { messageId: 3, vote: 1, network },
        res: { kind: 'ok', value: { fresh: true } },
      });
    }
    state.votes.push({ message_id: 3, votes: 1, voters: 1, sum: 0 });
  },
  'I7 a reply is there without its vote': ({ state }) => {
    state.votes.pop();
  },
  'I7 a vote is there without its reply': ({ state }) => {
    Object.assign(one(state.votes), { votes: 2, voters: 2 });
  },
  'I8 counts are not the ballots': ({ state }) => {
    one(state.polls).counts = [0, 1];
  },
  'I8 a ballot came after the deadline': ({ state }) => {
    one(state.ballots).at = 2000;
  },
  'I8 a poll closed twice': ({ state }) => {
    state.events.push({ id: 4, poll_id: 1, kind: 'closed' });
  },
  'I9 three in a minute where two are allowed': () => undefined,
  'I10 a receipt changed': ({ state }) => {
    one(state.receipts).receipt = '{"status":"published","message":{"id":9}}';
  },
  'I11 a leaf is of another text': ({ state }) => {
    one(state.logged).messageHash = 'another';
  },
  'I11 the log does not verify': ({ state }) => {
    state.logFault = 'root';
  },
  'I12 a removed text is exported': ({ history }) => {
    history.push({
      ...{ t: 60, end: 61, op: 'remove' },
      req: { id: 3, text: 'body 3' },
      res: { kind: 'ok', value: null },
    });
  },
};

describe('the checker of histories', () => {
  it('finds nothing in a sound one', () => {
    const { history, state } = sound();
    history.push(followed([1, 2, 3]));
    expect(
      check(history, state, { writes_per_network_minute: 3 }),
    ).to.deep.equal([]);
  });

  for (const [fault, spoil] of Object.entries(BROKEN)) {
    const [invariant = ''] = fault.split(' ');
    it(`finds ${fault}`, () => {
      const scene = sound();
      spoil(scene);
      const found = check(scene.history, scene.state, {
        writes_per_network_minute: invariant === 'I9' ? 2 : 3,
      });
      expect(found.map((it) => it.invariant)).to.include(invariant);
    });
  }
});
