import type { ModerationAction } from '../../protocol/moderation.js';
import type { Room } from '../../protocol/room.js';
import { Decision } from '../db/entities/decision.js';
import { Message } from '../db/entities/message.js';
import { Report } from '../db/entities/report.js';
import type { Sql, Tx } from '../db/sql.js';
import { OPEN_REPORTS } from '../db/states.js';
import type { StoredDecision } from '../polls/index.js';
import type { PublicDecision } from './answers.js';
import type { StateRow } from './read-decisions.js';
import type { DecisionRow } from './record-decision.js';

const SELECTED = [
  'd.id AS id',
  'd.action AS action',
  'd.reason AS reason',
  'd.explanation AS explanation',
  'd.decidedAt AS decided_at',
  'd.operator AS operator',
  'd.supersedes AS supersedes',
  'd.logIndex AS log_index',
];

/** Times in ms (spec/board.md §2.19). */
export type LoggedDecision = DecisionRow & {
  message_id: number;
  root_id: number;
  room: Room;
  superseded_by: number | null;
  poll_id: number | null;
  outcome: StoredDecision['outcome'] | null;
  /** Of `hide`: ratings had hidden it before. */
  stays_hidden: boolean;
  /** Null once the topic is removed. */
  root_title: string | null;
  /** Of the message; times in ms. */
  agent_id: string | null;
  created_at: number;
};

type DecisionQuery = {
  /** Exclusive upper ID; null: from the newest. */
  before: number | null;
  limit: number;
  action?: ModerationAction | undefined;
  reason?: PublicDecision['reason'] | undefined;
  room?: Room | undefined;
  operator?: string | undefined;
  message?: number | null;
  /** About these messages, or those of a key; above an ID. */
  about?: { ids: readonly number[] } | { agentId: string };
  after?: number;
};

export async function decisionLog(
  { manager }: Sql,
  query: DecisionQuery,
): Promise<LoggedDecision[]> {
  const { before, limit, action, reason, room, operator, message } = query;
  const { about, after = 0 } = query;
  const found = manager
    .createQueryBuilder(Decision, 'd')
    .innerJoin('d.message', 'm')
    .select(SELECTED)
    .addSelect(['d.messageId AS message_id', 'm.room AS room'])
    .addSelect('m.rootId', 'root_id')
    .addSelect(
      (later) =>
        later
          .select('min(n.id)')
          .from(Decision, 'n')
          .where('n.messageId = d.messageId AND n.supersedes = d.id'),
      'superseded_by',
    )
    .innerJoin(Message, 'root', 'root.id = m.rootId')
    .addSelect(['d.pollId AS poll_id', 'd.outcome AS outcome'])
    .addSelect('d.staysHidden', 'stays_hidden')
    .addSelect(['root.title AS root_title', 'm.agentId AS agent_id'])
    .addSelect('m.createdAt', 'created_at')
    .orderBy('d.id', 'DESC')
    .limit(limit);
  if (before !== null) found.andWhere('d.id < :before', { before });
  if (action) found.andWhere('d.action = :action', { action });
  if (reason) found.andWhere('d.reason = :reason', { reason });
  if (room) found.andWhere('m.room = :room', { room });
  if (operator) found.andWhere('d.operator = :operator', { operator });
  if (typeof message === 'number') {
    found.andWhere('d.messageId = :message', { message });
  }
  if (after > 0) found.andWhere('d.id > :after', { after });
  if (about !== undefined && 'ids' in about) {
    found.andWhere('d.messageId = ANY (:ids)', { ids: about.ids });
  } else if (about !== undefined) found.andWhere('m.agentId = :agentId', about);
  return await found.getRawMany<LoggedDecision>();
}

/** With its decision, if one is recorded. */
export type Removal = { message_id: number } & Pick<
  DecisionRow,
  'reason' | 'explanation' | 'operator' | 'decided_at'
>;

export async function removalsOf(
  { manager }: Sql,
  ids: readonly number[],
): Promise<Map<number, Removal>> {
  if (ids.length === 0) return new Map();
  const rows = await manager
    .createQueryBuilder(Message, 'm')
    .innerJoin(Decision, 'd', 'd.id = m.removedBy')
    .select(SELECTED)
    .addSelect('m.id', 'message_id')
    .where('m.id IN (:...ids)', { ids })
    .getRawMany<Removal>();
  return new Map(rows.map((row) => [row.message_id, row]));
}

/** `id` is null without a decision. */
type DecidedRow = StateRow & { message_id: number } & (
    | DecisionRow
    | { id: null }
  );

export async function decisionsOf(
  { manager }: Sql,
  messageId: number,
): Promise<DecidedRow[]> {
  return await manager
    .createQueryBuilder(Message, 'm')
    .leftJoin(Decision, 'd', 'd.messageId = m.id')
    .select(['m.id AS message_id', 'm.visibility AS visibility'])
    .addSelect(['m.removedBy AS removed_by', 'm.erasedBy AS erased_by'])
    .addSelect(SELECTED)
    .where('m.id = :messageId', { messageId })
    .orderBy('d.id')
    .getRawMany<DecidedRow>();
}

/** SQL: the message of the card that report `p` is about, or null. */
export const CARD_MESSAGE = `(SELECT c.message_id FROM selection_card c
  WHERE c.selection_id = split_part(p.card_id, '-', 1)::bigint
    AND c.n = split_part(p.card_id, '-', 2)::smallint)`;

type NamedReport = { request_id: string; own: boolean; open: boolean };

/** Says whether each is open and about the message. */
export async function lockReports(
  { manager }: Tx,
  ids: readonly string[],
  messageId: number,
): Promise<NamedReport[]> {
  const own = `coalesce(p.message_id, ${CARD_MESSAGE}) = :messageId`;
  return await manager
    .createQueryBuilder(Report, 'p')
    .select('p.requestId', 'request_id')
    .addSelect('p.status IN (:...open)', 'open')
    .addSelect(own, 'own')
    .where('p.requestId IN (:...ids)', { ids })
    .setParameters({ open: OPEN_REPORTS, messageId })
    .setLock('pessimistic_write', undefined, ['p'])
    .getRawMany<NamedReport>();
}
