// By hand: gives mirrored posts the shape of own messages, for statements here
// and in reading/.
import type { PollContent } from '../../protocol/content.js';
import type { MessageRow, Source } from '../../server/reading/index.js';
import type { MirroredPollView } from './answers.js';
import type { MirroredBoard } from './mirrored-board.js';

export type OriginDecision = {
  action: string;
  reason: string | null;
  made_by: string | null;
  /** In ms. */
  at: number;
  idx: number;
};

/** Text is null unless it is stored. */
export type MirroredRow = MessageRow & {
  origin_id: number;
  log_index: number;
  /** In ms. */
  received_at: number;
  status: 'ok' | 'bare' | 'missing' | 'withheld' | 'removed';
  /** By an operator of this node. */
  hidden: boolean;
  decisions: OriginDecision[] | null;
};

type Outcome = NonNullable<MirroredPollView['decision']>['outcome'];

/** From the origin's log; times in ms. */
export type MirroredPoll = {
  id: number;
  content: PollContent;
  /** Its `poll` entry. */
  close: {
    counts: number[];
    voters: number;
    result: 'selected' | 'tie' | 'insufficient_votes' | 'voided';
    winner: number | null;
    at: number;
  } | null;
  /** On a proposal. */
  decision: { outcome: Outcome; at: number; index: number } | null;
};

export type MirroredRoot = MirroredRow & { poll: MirroredPoll | null };

/**
 * Under the column names of own messages, without invalid ones and without
 * texts hidden here. `follow`: SQL condition under which the origin's hiding
 * counts here.
 */
function mirrored(where: string, follow: string): string {
  const shown = (column: string) =>
    `CASE WHEN mm.hidden_at IS NULL THEN mm.${column} END AS ${column}`;
  return `SELECT mm.origin_id, mm.id, mm.root_id, mm.reply_to, mm.room,
      ${shown('author')}, mm.agent_id, ${shown('title')}, ${shown('body')},
      ${shown('refs')}, ${shown('poll')}, mm.poll_id, mm.poll_close,
      mm.poll_decision, mm.request_id, 0 AS score, false AS look_alike,
      least(mm.created_at, mm.received_at) AS created_at,
      coalesce(CASE WHEN mm.status = 'removed' THEN mm.removal_at END,
        mm.hidden_at) AS removed_at,
      CASE WHEN ${follow} THEN mm.visibility ELSE 'visible' END AS visibility,
      mm.reply_count, mm.last_reply_id, mm.last_activity_id, mm.log_index,
      mm.received_at, mm.status, mm.message_hash,
      mm.hidden_at IS NOT NULL AS hidden
    FROM mirror_message mm WHERE ${where} AND mm.status <> 'invalid'`;
}

/**
 * `decided`: by logs of the message's own board only; another board can name
 * its ID and hash.
 */
export function mirroredColumns(m: string): string {
  return `, ${m}.origin_id, ${m}.log_index, ${m}.received_at, ${m}.status,
    ${m}.hidden, (SELECT json_agg(json_build_object('action', d.action,
        'reason', d.reason, 'made_by', d.made_by,
        'at', least(d.at, d.received_at), 'idx', d.idx) ORDER BY d.idx)
      FROM decided d WHERE d.of_log = ${m}.origin_id
        AND d.target = ${m}.message_hash AND d.message_id = ${m}.id
        AND d.applied) AS decisions`;
}

/** $n the log, $(n + 1) whether to follow. */
function tablesOfOne(n: number): string {
  return `message AS NOT MATERIALIZED (
      ${mirrored(`mm.origin_id = $${n}::int`, `$${n + 1}::boolean`)}),
    decided AS NOT MATERIALIZED (SELECT d.origin_id AS of_log, d.*
      FROM mirror_decision d WHERE d.origin_id = $${n}::int),
    log_state AS NOT MATERIALIZED (
      SELECT 0 AS origin_id, s.last_message_id FROM log_state s
      WHERE s.origin_id = $${n}::int),`;
}

function tablesOfSome(n: number): string {
  const logs = `ANY ($${n}::int[])`;
  const where = `mm.origin_id = ${logs} AND NOT EXISTS (
      SELECT FROM mirror_message later WHERE later.origin_id = ${logs}
        AND later.origin_id > mm.origin_id AND later.id = mm.id
        AND later.status <> 'invalid')`;
  return `message AS NOT MATERIALIZED (
      ${mirrored(where, `$${n + 1}::boolean`)}),
    decided AS NOT MATERIALIZED (SELECT l.of_log, d.*
      FROM unnest($${n}::int[]) AS l (of_log)
        JOIN mirror_decision d ON d.origin_id = ${logs}),
    log_state AS NOT MATERIALIZED (
      SELECT 0 AS origin_id, max(s.last_message_id) AS last_message_id
      FROM log_state s WHERE s.origin_id = ${logs}),`;
}

export function mirrorSource(board: MirroredBoard): Source {
  const { logs, originId, follow } = board;
  const one = logs.length === 1;
  return {
    values: [one ? originId : logs.map((log) => log.originId), follow],
    tables: one ? tablesOfOne : tablesOfSome,
    columns: mirroredColumns,
    poll: (r) => `CASE WHEN ${r}.poll_id IS NOT NULL AND ${r}.poll IS NOT NULL
      THEN json_build_object('id', ${r}.poll_id, 'content', ${r}.poll,
        'close', ${r}.poll_close, 'decision', ${r}.poll_decision) END`,
  };
}

/** Pairs of each log with later mirrored ones of its board. */
const SUCCESSORS = `successor AS MATERIALIZED (
    SELECT own.origin_id, next.origin_id AS later
    FROM log_state own JOIN log_state next ON next.board = own.board
      AND next.origin_id > own.origin_id AND next.closed_at IS NULL
    WHERE own.origin_id > 0)`;

/**
 * No later log gave the ID again. A value: EXISTS could be planned as a join
 * over all messages.
 */
const notGivenAgain = (again: string) => `(SELECT 1 FROM successor s
    JOIN mirror_message again ON again.origin_id = s.later AND ${again}
      AND again.id = mm.id AND again.status <> 'invalid'
  WHERE s.origin_id = mm.origin_id LIMIT 1) IS NULL`;

const ownDecisions = (decided: string) => `SELECT d.origin_id AS of_log, d.*
    FROM mirror_decision d WHERE ${decided}`;

/** By the log itself and by later logs of the board. */
const decidedIn = (decided: string) => `${ownDecisions(decided)}
    UNION ALL SELECT s.origin_id, d.* FROM successor s
      JOIN mirror_decision d ON d.origin_id = s.later AND ${decided}`;

/**
 * Readable logs with all of their boards; of an ID given twice the later. $n
 * and $(n + 1), whose hiding counts, are arrays. Planned for the values, it
 * reads only their partitions. Callers must compare `origin_id` beside ids.
 */
export function mirrorsOfLogs(n: number, several: boolean): string {
  const within = (table: string) => `${table}.origin_id = ANY ($${n}::int[])`;
  const once = several ? `AND ${notGivenAgain(within('again'))}` : '';
  const decided = several ? decidedIn(within('d')) : ownDecisions(within('d'));
  return `${several ? `${SUCCESSORS},` : ''}
    message AS NOT MATERIALIZED (${mirrored(
      `${within('mm')} ${once}`,
      `mm.origin_id = ANY ($${n + 1}::int[])`,
    )}),
    decided AS NOT MATERIALIZED (${decided})`;
}
