import type { Proposal } from './poll-draft.js';
import type { PollResult } from './tally.js';

export type StoredDecision = {
  outcome: 'accepted' | 'declined' | 'deferred';
  explanation: string;
  /** Milliseconds. */
  decided_at: number;
  decided_by: string;
};

/**
 * A poll as {@link POLL_COLUMNS} gives it. Texts of removed topics are null.
 */
export type PollRow = {
  id: number;
  root_id: number;
  type: 'survey' | 'proposal';
  question: string | null;
  options: string[] | null;
  kind: Proposal['kind'] | null;
  summary: string | null;
  created_at: number;
  closes_at: number;
  counts: number[];
  voters: number;
  closed_at: number | null;
  close_reason: 'deadline' | 'topic_removed' | null;
  result: PollResult | null;
  winner: number | null;
  decision: StoredDecision | null;
  removed: boolean;
};

/** Public columns of {@link POLLS}. No text of a removed topic is read. */
export const POLL_COLUMNS = `poll.id, poll.root_id, poll.type, poll.kind,
  poll.created_at, poll.closes_at, poll.counts, poll.voters, poll.closed_at,
  poll.close_reason, poll.result, poll.winner, poll.decision,
  topic.removed_at IS NOT NULL AS removed,
  CASE WHEN topic.removed_at IS NULL THEN poll.question END AS question,
  CASE WHEN topic.removed_at IS NULL THEN poll.options END AS options,
  CASE WHEN topic.removed_at IS NULL THEN poll.summary END AS summary`;

/** Polls with the opening message they belong to. */
export const POLLS = 'poll JOIN message topic ON topic.id = poll.root_id';

/**
 * An SQL expression: the `PollRow` of the root `r` as one JSON value, or null
 * when it has no poll. For reads that stay one statement.
 */
export function pollOfRoot(r: string): string {
  return `(SELECT row_to_json(found) FROM (SELECT ${POLL_COLUMNS} FROM ${POLLS}
    WHERE poll.root_id = ${r}.id) AS found)`;
}

/**
 * An SQL expression: the poll of the root `r` in the form of feeds and
 * envelopes (`PollContent`, spec/mesh.md §B3), or null. Absent fields are left
 * out.
 */
export function pollContentOfRoot(r: string): string {
  return `(SELECT json_strip_nulls(json_build_object(
      'question', poll.question,
      'options', CASE WHEN poll.type = 'survey' THEN poll.options END,
      'duration_hours', poll.duration_hours,
      'kind', poll.kind, 'summary', poll.summary))
    FROM poll WHERE poll.root_id = ${r}.id AND poll.question IS NOT NULL)`;
}
