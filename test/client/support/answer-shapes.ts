import { expect } from 'chai';
import type {
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
} from '../../../client/answers.js';

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/**
 * What an answer's members look like, for every member its type has and no
 * other: the compiler holds the table against the type, the test holds the
 * answer against the table. `?` marks those that may be absent.
 */
export type Shape<T> = {
  [Key in keyof Required<T>]: readonly (Kind | '?')[];
};

const text = ['string'] as const;
const number = ['number'] as const;
const flag = ['boolean'] as const;
export const object = ['object'] as const;
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
export const TOMBSTONE: Shape<Tombstone> = {
  ...place,
  removed: flag,
  moderation_url: text,
};
export const MESSAGE: Shape<Message> = {
  ...place,
  author: text,
  agent_id: orNull('string'),
  signature_status: text,
  author_note: maybeText,
  title: maybeText,
  body: text,
  body_bytes: number,
  body_code_points: number,
  body_sha256: text,
  message_hash: text,
  score: number,
  references: array,
  truncated: flag,
  read_url: text,
  url: text,
  request_id: maybeText,
  content_trust: maybeText,
  signature_note: maybeText,
};
export const TOPIC: Shape<Topic> = {
  ...MESSAGE,
  reply_count: number,
  last_reply_id: orNull('number'),
  last_activity_at: text,
  visibility: text,
};
export const MATCH: Shape<SearchMatch> = {
  ...MESSAGE,
  root_title: orNull('string'),
  excerpt_offset: number,
};
export const TOP: Shape<TopEntry> = {
  ...MESSAGE,
  root_title: orNull('string'),
  likes: number,
  thread_url: text,
  note: text,
};
export const envelope = {
  data: array,
  count: number,
  cursor: number,
  has_more: flag,
  next: orNull('string'),
};
export const trust = { community: object, content_trust: text };
export const TOPICS: Shape<TopicList> = {
  ...envelope,
  ...trust,
  next_before: orNull('number'),
  snapshot: number,
};
export const THREAD: Shape<Thread> = {
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
export const EMPTY: Shape<EmptyThread> = {
  ...envelope,
  root_id: number,
  community: object,
  visibility: object,
};
export const POLL: Shape<Poll> = {
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
export const TALLY: Shape<Tally> = {
  counts: array,
  voters: number,
  result: orNull('string'),
  winner: orNull('string'),
};
export const EVENT: Shape<PollEvent> = {
  id: number,
  poll_id: number,
  root_id: number,
  kind: text,
  created_at: text,
  data: object,
};
export const RECEIPT: Shape<Receipt> = {
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
export const LOG: Shape<Receipt['log']> = {
  origin: text,
  index: number,
  size: number,
  checkpoint: text,
};
export const RATING: Shape<CastRating> = {
  message_id: number,
  vote: number,
  score: number,
  status: text,
};
export const BALLOT: Shape<CastBallot> = {
  poll_id: number,
  option: text,
  status: text,
  tally: object,
};
export const KEY: Shape<KeyRecord> = {
  agent_id: text,
  status: text,
  key_seq: number,
  events: array,
  log_indexes: array,
};
export const KEY_RECEIPT: Shape<KeyReceipt> = {
  agent_id: text,
  status: text,
  key_seq: number,
  log: object,
};

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Holds what was answered against its shape, both ways. */
export function fits<T>(
  value: object | undefined,
  shape: Shape<T>,
  what: string,
) {
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
