import type { Tx } from '../db/sql.js';
import { BoardError } from '../errors.js';
import {
  conflict,
  DECISION_COLUMNS,
  type DecisionRow,
  publicDecision,
  type Ruling,
} from './record-decision.js';

/** What an operator had before him when he decided. */
export type Sight = {
  /** The newest decision on the subject that he saw; null for none. */
  seen?: number | null;
};

/**
 * Why a ruling comes too late or names what is not there, or null: checked
 * under the head lock, before the rules of its action. `decision_conflict`
 * carries the decision that stands as `current` (spec/operators.md §2.6).
 */
export async function ordered(
  tx: Tx,
  ruling: Ruling & Sight,
): Promise<BoardError | null> {
  return (
    (await unseen(tx, ruling)) ??
    (await superseded(tx, ruling)) ??
    (await settled(tx, ruling))
  );
}

/** Somebody decided after the operator looked. */
async function unseen(
  tx: Tx,
  { id, seen }: Ruling & Sight,
): Promise<BoardError | null> {
  if (seen === undefined) return null;
  const [row] = await tx.query<{ last: number | null }>(
    'SELECT max(id) AS last FROM decision WHERE message_id = $1',
    [id],
  );
  if ((row?.last ?? null) === seen) return null;
  return await conflict(
    tx,
    id,
    'Another operator decided on this item after you looked at it.',
  );
}

type Superseded = { message_id: number; by: DecisionRow | null };

/** The decision to undo is unknown, of another subject, or undone already. */
async function superseded(
  tx: Tx,
  { id, supersedes }: Ruling,
): Promise<BoardError | null> {
  if (supersedes === undefined) return null;
  const [row] = await tx.query<Superseded>(
    `SELECT o.message_id, (SELECT row_to_json(n) FROM (
         SELECT ${DECISION_COLUMNS} FROM decision d
         WHERE d.message_id = o.message_id AND d.supersedes = o.id
         ORDER BY d.id DESC LIMIT 1) n) AS by
     FROM decision o WHERE o.id = $1`,
    [supersedes],
  );
  if (row === undefined || row.message_id !== id) {
    return new BoardError(
      'invalid_input',
      `There is no decision ${supersedes} on this item.`,
      { field: 'supersedes' },
    );
  }
  if (row.by === null) return null;
  return new BoardError(
    'decision_conflict',
    `Decision ${supersedes} is superseded already.`,
    { current: publicDecision(row.by) },
  );
}

/** The message behind the card that the report `p` is about, or null. */
export const CARD_MESSAGE = `(SELECT c.message_id FROM selection_card c
  WHERE c.selection_id = split_part(p.card_id, '-', 1)::bigint
    AND c.n = split_part(p.card_id, '-', 2)::smallint)`;

type Named = { request_id: string; own: boolean; open: boolean };

/** A report to settle is unknown, of another subject, or settled already. */
async function settled(
  tx: Tx,
  { id, reportIds = [] }: Ruling,
): Promise<BoardError | null> {
  if (reportIds.length === 0) return null;
  const rows = await tx.query<Named>(
    `SELECT p.request_id, p.status IN ('received', 'in_review') AS open,
       coalesce(p.message_id, ${CARD_MESSAGE}) = $2 AS own
     FROM report p WHERE p.request_id = ANY($1::uuid[]) FOR UPDATE OF p`,
    [reportIds, id],
  );
  const own = new Map(rows.map((row) => [row.request_id, row]));
  for (const requestId of reportIds) {
    const row = own.get(requestId);
    if (row?.own !== true) {
      return new BoardError(
        'report_not_found',
        `No report ${requestId} is about this item.`,
        { field: 'report_ids' },
      );
    }
    if (!row.open) {
      return await conflict(tx, id, `Report ${requestId} is settled already.`);
    }
  }
  return null;
}

/** Whether the last word was to keep it and nobody has reported it since. */
export async function moderationUnchanged(
  tx: Tx,
  { id, supersedes }: Ruling,
): Promise<boolean> {
  const [row] = await tx.query<{ id: number; news: boolean }>(
    `SELECT d.id, EXISTS (SELECT FROM report p WHERE p.message_id = $1
         AND p.created_at > d.decided_at) AS news
     FROM (SELECT id, action, decided_at FROM decision WHERE message_id = $1
       ORDER BY id DESC LIMIT 1) d
     WHERE d.action = 'keep'`,
    [id],
  );
  return row !== undefined && !row.news && row.id !== supersedes;
}
