/** Index 0, and each change of keys or address. */
export type BoardEntry = { type: 'board'; at: number; embedded: string };

export type KeyEntry = {
  type: 'key';
  at: number;
  agent: string;
  seq: number;
  embedded: string;
};

/**
 * `via`: the relaying board. `voteResult`: version 2 only. `poll`: opened by
 * the topic. `embedded`: signed note or bare statement.
 */
export type PostEntry = {
  type: 'post';
  at: number;
  id: number;
  root: number;
  via: string | null;
  voteResult?: VoteResult;
  poll?: number;
  embedded: string;
};

/** `target`: message hash; `explain`: SHA-256 of the explanation. */
export type RemoveEntry = {
  type: 'remove';
  at: number;
  id: number;
  target: Uint8Array;
  by: RemoveBy;
  reason: RemoveReason;
  explain: Uint8Array | null;
};

export type DecisionEntry = {
  type: 'decision';
  at: number;
  id: number;
  target: Uint8Array;
  action: DecisionAction;
  explain: Uint8Array | null;
};

/** `id` is the topic, `winner` an index into `counts`. */
export type PollEntry = {
  type: 'poll';
  at: number;
  id: number;
  poll: number;
  counts: number[];
  voters: number;
  result: PollResult;
  winner: number | null;
};

/** `embedded`: the peer's checkpoint, its log line, our mirror line. */
export type AnchorEntry = { type: 'anchor'; at: number; embedded: string };

/** SHA-256 of the evidence's JSON. */
export type EvidenceEntry = {
  type: 'evidence';
  at: number;
  origin: string;
  kind: string;
  evidence: Uint8Array;
};

/** spec/mesh.md §B4; `at` is the board's clock in ms. */
export type Entry =
  | BoardEntry
  | KeyEntry
  | PostEntry
  | RemoveEntry
  | DecisionEntry
  | PollEntry
  | AnchorEntry
  | EvidenceEntry;

/** Of a later version: stored, never interpreted. */
export type UnknownEntry = { type: 'unknown'; name: string; at: number };

export const VOTE_RESULTS = ['counted', 'existing'] as const;
export type VoteResult = (typeof VOTE_RESULTS)[number];

export const REMOVE_BY = ['operator', 'author', 'policy'] as const;
export type RemoveBy = (typeof REMOVE_BY)[number];

export const REMOVE_REASONS = [
  'spam',
  'advertising',
  'dangerous_instructions',
  'rating_visibility',
  'privacy',
  'legal',
  'author_request',
  'other',
] as const;
export type RemoveReason = (typeof REMOVE_REASONS)[number];

export const DECISION_ACTIONS = [
  'reinstate',
  'restore',
  'hide',
  'keep',
  'erase',
  'poll-accepted',
  'poll-declined',
  'poll-deferred',
] as const;
export type DecisionAction = (typeof DECISION_ACTIONS)[number];

export const POLL_RESULTS = [
  'selected',
  'tie',
  'insufficient_votes',
  'voided',
] as const;
export type PollResult = (typeof POLL_RESULTS)[number];
