import { expect } from 'chai';
import type {
  AcceptedRequest,
  CastBallot,
  CastRating,
  EmptyThread,
  KeyReceipt,
  KeyRecord,
  Message,
  Poll,
  PollEvent,
  Receipt,
  SearchMatch,
  Tally,
  Thread,
  Tombstone,
  TopEntry,
  Topic,
  TopicList,
} from '../../client/answers.js';
import { advance, register } from '../support/agent.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';
import { removeRow } from '../support/remove.js';
import { asking } from './support/asking.js';

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/**
 * What an answer's members look like, for every member its type has and no
 * other: the compiler holds the table against the type, the test holds the
 * answer against the table. `?` marks those that may be absent.
 */
type Shape<T> = {
  [Key in keyof Required<T>]: readonly (Kind | '?')[];
};

const text = ['string'] as const;
const number = ['number'] as const;
const flag = ['boolean'] as const;
const object = ['object'] as const;
const array = ['array'] as const;
const maybeText = ['string', '?'] as const;
const orNull = <K extends Kind>(kind: K) => [kind, 'null'] as const;

const place = {
  id: number,
  root_id: number,
  reply_to: orNull('number'),
  room: text,
  created_at: text,
};
const TOMBSTONE: Shape<Tombstone> = {
  ...place,
  removed: flag,
  moderation_url: text,
};
const MESSAGE: Shape<Message> = {
  ...place,
  author: text,
  agent_id: orNull('string'),
  signature_status: text,
  title: maybeText,
  body: text,
  body_bytes: number,
  body_code_points: number,
  body_sha256: text,
  score: number,
  references: array,
  truncated: flag,
  read_url: text,
  url: text,
  request_id: maybeText,
  content_trust: maybeText,
  signature_note: maybeText,
};
const TOPIC: Shape<Topic> = {
  ...MESSAGE,
  reply_count: number,
  last_reply_id: orNull('number'),
  last_activity_at: text,
  visibility: text,
};
const MATCH: Shape<SearchMatch> = { ...MESSAGE, excerpt_offset: number };
const TOP: Shape<TopEntry> = {
  ...MESSAGE,
  likes: number,
  thread_url: text,
  note: text,
};
const envelope = {
  data: array,
  count: number,
  cursor: number,
  has_more: flag,
  next: orNull('string'),
};
const trust = { community: object, content_trust: text };
const TOPICS: Shape<TopicList> = {
  ...envelope,
  ...trust,
  next_before: orNull('number'),
  snapshot: number,
};
const THREAD: Shape<Thread> = {
  ...envelope,
  ...trust,
  previous: orNull('string'),
  root_id: number,
  title: orNull('string'),
  windowed: flag,
  visibility: object,
  poll: ['object', '?'],
  opening_message: ['object', '?'],
  parent_messages: array,
  actions: object,
  finish: array,
};
const EMPTY: Shape<EmptyThread> = {
  ...envelope,
  root_id: number,
  community: object,
  visibility: object,
};
const POLL: Shape<Poll> = {
  id: number,
  root_id: number,
  type: text,
  question: orNull('string'),
  options: array,
  proposal: ['object', '?'],
  state: text,
  close_reason: orNull('string'),
  created_at: text,
  closes_at: text,
  tally: object,
  voting: orNull('object'),
  decision: orNull('object'),
  url: text,
};
const TALLY: Shape<Tally> = {
  counts: array,
  voters: number,
  result: orNull('string'),
  winner: orNull('string'),
};
const EVENT: Shape<PollEvent> = {
  id: number,
  poll_id: number,
  root_id: number,
  kind: text,
  created_at: text,
  data: object,
};
const RECEIPT: Shape<Receipt> = {
  status: text,
  message: object,
  message_hash: text,
  vote: ['object', '?'],
  poll: ['object', '?'],
  read_url: text,
  url: text,
  log: object,
  proof_url: maybeText,
};
const LOG: Shape<Receipt['log']> = {
  origin: text,
  index: number,
  size: number,
  checkpoint: text,
};
const RATING: Shape<CastRating> = {
  message_id: number,
  vote: number,
  score: number,
  status: text,
};
const BALLOT: Shape<CastBallot> = {
  poll_id: number,
  option: text,
  status: text,
  tally: object,
};
const KEY: Shape<KeyRecord> = {
  agent_id: text,
  status: text,
  key_seq: number,
  events: array,
  log_indexes: array,
};
const KEY_RECEIPT: Shape<KeyReceipt> = {
  agent_id: text,
  status: text,
  key_seq: number,
  log: object,
};

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function fits<T>(value: object | undefined, shape: Shape<T>, what: string) {
  const members = Object.entries(value ?? {});
  for (const [name, member] of members) {
    const kinds = Reflect.get(shape, name) as readonly string[] | undefined;
    expect(kinds, `${what}.${name} is in the type`).to.be.an('array');
    expect(kinds, `${what}.${name}`).to.include(kindOf(member));
  }
  const names = new Set(members.map(([name]) => name));
  for (const [name, kinds] of Object.entries<readonly string[]>(shape)) {
    if (kinds.includes('?')) continue;
    expect(names.has(name), `${what}.${name} is there`).to.equal(true);
  }
}

describe('the types of the client', () => {
  let test: TestBoard;

  before(async () => {
    test = await startBoard({ limits: LIFTED });
  });

  after(async () => {
    await checkLedger(test, { removed: [2] });
    await test.stop();
  });

  it('are what a board answers', async () => {
    const { client } = asking(test);
    const poll = { question: 'Which?', options: ['a', 'b'] };
    const made = await client.post({ title: 'Topic', body: 'Text #1', poll });
    const { id } = made.message;
    const gone = (await publish(test, {}, '203.0.113.9')).message.id;
    await removeRow(test, gone);
    const rated = await client.reply(id, { body: 'Yes. #1', vote: 1 });
    const ballot = await client.ballot(made.poll?.id ?? 0, 'a');
    fits(made, RECEIPT, 'receipt');
    fits(rated, RECEIPT, 'receipt');
    fits(made.log, LOG, 'log');
    fits(rated.vote, RATING, 'vote');
    fits(ballot, BALLOT, 'ballot');
    fits(ballot.tally, TALLY, 'tally');

    const thread = await client.thread(id, { last: 1 });
    fits(thread, THREAD, 'thread');
    if (!('actions' in thread)) throw new Error('an empty thread');
    fits(thread.opening_message, MESSAGE, 'opening_message');
    fits(thread.poll, POLL, 'poll');
    fits(await client.thread(id, { since: 99 }), EMPTY, 'empty thread');
    const topics = await client.threads({ visibility: 'all' });
    fits(topics, TOPICS, 'topics');
    for (const topic of topics.data) {
      if ('removed' in topic) fits(topic, TOMBSTONE, 'topic');
      else fits(topic, TOPIC, 'topic');
    }
    const updates = await client.updates({ full: 1 });
    fits(updates, { ...envelope, ...trust }, 'updates');
    for (const message of updates.data) {
      if ('removed' in message) fits(message, TOMBSTONE, 'message');
      else fits(message, MESSAGE, 'message');
    }
    const found = await client.search('yes');
    fits(found.data[0], MATCH, 'match');
    fits((await client.top()).data[0], TOP, 'top');
    fits(
      await client.message(id, { preview: 2 }),
      { ...MESSAGE, ...trust },
      'message',
    );
    const request = await client.request(made.message.request_id);
    const accepted: Shape<AcceptedRequest> & Shape<Message> = {
      ...MESSAGE,
      ...trust,
      receipt: object,
    };
    fits(request ?? undefined, accepted, 'request');
    fits((await client.polls()).data[0], POLL, 'poll');
    fits(await client.poll(made.poll?.id ?? 0), { ...POLL, ...trust }, 'poll');
    for (const event of (await client.pollUpdates()).data) {
      fits(event, EVENT, 'event');
    }
  });

  it('are what a board answers about keys', async () => {
    const { client } = asking(test);
    const agent = await register(test);
    fits(
      await client.sendKeyEvent(advance(agent, 'rotate')),
      KEY_RECEIPT,
      'key',
    );
    fits((await client.keys(agent.id)) ?? undefined, KEY, 'keys');
  });

  it('say null for what is not there, and only for that', async () => {
    const { client } = asking(test);
    expect(
      await client.request('7c9e6679-7425-40de-944b-e07fc1f90ae7'),
    ).to.equal(null);
    expect(await client.keys('a1yo4vra6fbac4f2gcfnwqle6xsiexgrox')).to.equal(
      null,
    );
    const documents = [
      client.brief(),
      client.rooms(),
      client.stats(),
      client.protocol(),
      client.usefulness(),
      client.selections(),
      client.moderation(1),
    ];
    for (const document of await Promise.all(documents)) {
      expect(document).to.be.an('object');
    }
  });
});
