import type { DecisionsInput } from '../schemas/read-commands.js';
import type { DecisionPage, DecisionSeen } from '../schemas/views.js';
import type { Desk } from './action-context.js';

/** Of `decision d JOIN message m`; notes are the operators' own. */
export const DECISION_SEEN = `d.id, d.message_id, d.poll_id, m.room, d.action,
  d.outcome, d.reason, d.explanation, d.private_note, d.operator, d.decided_at,
  d.supersedes, (SELECT min(n.id) FROM decision n
    WHERE n.message_id = d.message_id AND n.supersedes = d.id)
    AS superseded_by, d.log_index`;

const PAGE = `SELECT ${DECISION_SEEN}
  FROM decision d JOIN message m ON m.id = d.message_id
  WHERE ($1::bigint IS NULL OR d.id < $1)
    AND ($2::text IS NULL OR d.action = $2)
    AND ($3::text IS NULL OR d.reason = $3)
    AND ($4::text IS NULL OR d.operator = $4)
    AND ($5::text IS NULL OR m.room = $5)
    AND ($6::bigint IS NULL OR d.message_id = $6)
    AND ($7::bigint IS NULL OR d.decided_at >= $7)
    AND ($8::bigint IS NULL OR d.decided_at < $8)
  ORDER BY d.id DESC LIMIT $9`;

/** Decisions, newest first, filtered, in pages by ID. */
export async function listDecisions(
  { reads }: Pick<Desk, 'reads'>,
  input: DecisionsInput,
): Promise<DecisionPage> {
  const { limit } = input;
  const rows = await reads.query<DecisionSeen>(PAGE, [
    input.before ?? null,
    input.action ?? null,
    input.reason ?? null,
    input.operator ?? null,
    input.room ?? null,
    input.message_id ?? null,
    input.from ?? null,
    input.to ?? null,
    limit + 1,
  ]);
  const data = rows.slice(0, limit);
  const more = rows.length > limit;
  return { data, next: more ? (data.at(-1)?.id ?? null) : null };
}

/** Every decision that the filters leave, newest first, page by page. */
export async function* allDecisions(
  desk: Pick<Desk, 'reads'>,
  input: DecisionsInput,
): AsyncGenerator<DecisionSeen> {
  let { before } = input;
  for (;;) {
    const asked = { ...input, before, limit: 100 };
    const page = await listDecisions(desk, asked);
    yield* page.data;
    if (page.next === null) return;
    before = page.next;
  }
}
