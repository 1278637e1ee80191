import { BoardError } from '../../errors.js';
import { reaches } from '../roles.js';
import type {
  ListReportsInput,
  ReportPage,
  ReportSeen,
} from '../schemas/report-commands.js';
import type { Desk, Operator } from './action-context.js';

/** $1: whether the reader may see reporters' private texts. */
export const REPORT_SEEN = `p.request_id, CASE WHEN p.message_id IS NULL
    THEN 'card:' || p.card_id ELSE 'message:' || p.message_id END AS subject,
  p.kind, p.reason, CASE WHEN $1::boolean THEN p.detail END AS detail,
  p.status, p.created_at, p.status_at, p.claimed_by, p.decision_id`;

/**
 * Viewers read everything but reporters' private texts (spec/operators.md
 * §1.5).
 */
export function readsPrivateTexts({ role }: Operator): boolean {
  return reaches(role, 'moderator');
}

const PAGE = `SELECT ${REPORT_SEEN} FROM report p
  WHERE ($2::text[] IS NULL OR p.status = ANY($2))
    AND ($3::text IS NULL OR p.kind = $3)
    AND ($4::bigint IS NULL OR p.message_id = $4)
    AND ($5::text IS NULL OR p.card_id = $5)
    AND ($6::uuid IS NULL OR (p.created_at, p.request_id) >
      (SELECT a.created_at, a.request_id FROM report a
        WHERE a.request_id = $6))
  ORDER BY p.created_at, p.request_id LIMIT $7`;

/**
 * Reports, oldest first, in pages by `after`.
 * @throws BoardError `report_not_found` for an unknown `after`
 */
export async function listReports(
  desk: Pick<Desk, 'reads'>,
  operator: Operator,
  { status, kind, subject, after, limit }: ListReportsInput,
): Promise<ReportPage> {
  const rows = await desk.reads.query<ReportSeen>(PAGE, [
    readsPrivateTexts(operator),
    statuses(status),
    kind ?? null,
    ...columnsOf(subject),
    after ?? null,
    limit + 1,
  ]);
  if (rows.length === 0 && after !== undefined) {
    await mustExist(desk, after);
  }
  const data = rows.slice(0, limit);
  const more = rows.length > limit;
  return { data, next: more ? (data.at(-1)?.request_id ?? null) : null };
}

function statuses(asked: ListReportsInput['status']): string[] | null {
  if (asked === 'all') return null;
  return asked === 'open' ? ['received', 'in_review'] : [asked];
}

/** A subject as `message_id` and `card_id`; a poll has no reports. */
export function columnsOf(
  subject: string | undefined,
): [number | null, string | null] {
  if (subject === undefined) return [null, null];
  const [kind, name = ''] = subject.split(':');
  if (kind === 'card') return [null, name];
  return [kind === 'message' ? Number(name) : 0, null];
}

async function mustExist(
  { reads }: Pick<Desk, 'reads'>,
  requestId: string,
): Promise<void> {
  const found = await reads.query(
    'SELECT 1 FROM report WHERE request_id = $1',
    [requestId],
  );
  if (found.length > 0) return;
  throw unknownReport(requestId, 'after');
}

export function unknownReport(requestId: string, field: string): BoardError {
  return new BoardError(
    'report_not_found',
    `There is no report ${requestId}.`,
    {
      field,
    },
  );
}
