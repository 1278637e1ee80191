import type { Context } from '../../context.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { writeEndpoint } from '../../http/endpoint.js';
import { EXAMPLE_UUID } from '../../http/openapi/examples.js';
import { takeBudgets } from '../../http/rate-limits/take-budgets.js';
import { report } from './answers.js';
import { exampleReport } from './read-report.js';
import { reportChecks } from './report-budgets.js';
import {
  type ReportRequest,
  type ReportSubject,
  reportIdentity,
  reportRequest,
  subjectOf,
} from './report-request.js';
import { REPORT_COLUMNS, type ReportRow, reportView } from './report-view.js';

/** Takes a private report, appeal or selection error (spec/board.md §7). */
export const fileReport = writeEndpoint({
  post: '/api/reports',
  id: 'fileReport',
  tag: 'Moderation',
  summary: 'Report a message, appeal, or name an error of a selection',
  description:
    'Private: only operators read it. A `selection_error` names `card_id`, the others `message_id`. An exact retry answers 200 with the same receipt and spends nothing.',
  about: 'a private report to the operators',
  body: ({ limits }) => ({
    schema: reportRequest(limits),
    example: {
      request_id: EXAMPLE_UUID,
      kind: 'report',
      message_id: 15,
      reason: 'spam',
      detail: 'The same text stands in three threads.',
    },
  }),
  answers: ({ baseUrl }) => {
    const json = { schema: report, example: exampleReport(baseUrl) };
    return {
      201: { description: 'Received.', json },
      200: { description: 'Received before.', json },
    };
  },
  errors: [
    'message_not_found',
    'selection_not_found',
    'request_id_conflict',
    'too_long',
  ],
  limits: [
    'reports_per_network_10_minutes',
    'reports_per_network_day',
    'reports_per_board_day',
  ],
  counter: 'report',
  handle:
    (ctx) =>
    async ({ body, network }) => {
      const subject = subjectOf(body);
      const { row, fresh } = await filed(ctx, network, body, subject);
      // A retry repeats the receipt; what became of it is at `status_url`.
      const first = {
        ...row,
        status: 'received',
        decided_message: null,
      } as const;
      const json = reportView(first, ctx.config.baseUrl);
      return { json, status: fresh ? 201 : 200 };
    },
});

type Filed = { row: ReportRow; fresh: boolean };
type Known = ReportRow & { content_hash: Buffer };

async function filed(
  ctx: Context,
  network: () => Uint8Array,
  request: ReportRequest,
  subject: ReportSubject,
): Promise<Filed> {
  const hash = reportIdentity(ctx.keys.server, request);
  const known = await findReport(ctx.writes, request.request_id);
  if (known !== null) return { row: exactly(known, hash), fresh: false };
  await checkSubject(ctx.writes, subject);
  const counters = await ctx.networkKeys.counterKeys(network());
  const checks = reportChecks(counters);
  const now = ctx.clock.now();
  return await ctx.writes.transaction(async (tx) => {
    const row = await insertReport(tx, request, subject, hash, now);
    if (row !== null) {
      await takeBudgets(tx, checks, ctx.limits, now);
      if (request.kind === 'appeal') await reopen(tx, subject, now);
      return { row, fresh: true };
    }
    const winner = await findReport(tx, request.request_id);
    if (winner === null) throw new Error('a report that exists was not found');
    return { row: exactly(winner, hash), fresh: false };
  });
}

async function findReport(sql: Sql, requestId: string): Promise<Known | null> {
  const [row] = await sql.query<Known>(
    `SELECT ${REPORT_COLUMNS}, p.content_hash FROM report p
     WHERE p.request_id = $1`,
    [requestId],
  );
  return row ?? null;
}

function exactly(known: Known, hash: Buffer): ReportRow {
  if (known.content_hash.equals(hash)) return known;
  throw new BoardError(
    'request_id_conflict',
    'This request_id belongs to another report; use a new UUID for a new one.',
    { field: 'request_id' },
  );
}

/** Removed messages can be reported and appealed too. */
async function checkSubject(sql: Sql, subject: ReportSubject): Promise<void> {
  const { messageId, cardId } = subject;
  const [selection, n] = (cardId ?? '0-0').split('-').map(Number);
  const [row] = await sql.query<{ message: boolean; card: boolean }>(
    `SELECT EXISTS (SELECT FROM message WHERE id = $1) AS message,
       EXISTS (SELECT FROM selection_card
         WHERE selection_id = $2 AND n = $3) AS card`,
    [messageId, selection, n],
  );
  if (cardId !== null && row?.card !== true) {
    throw new BoardError(
      'selection_not_found',
      'No selection has this card; card_id is that of /api/selections.',
      { field: 'card_id' },
    );
  }
  if (messageId !== null && row?.message !== true) {
    throw new BoardError(
      'message_not_found',
      'No message of this board has this ID.',
      { field: 'message_id' },
    );
  }
}

/**
 * An appeal opens again what was settled about its message (spec/operators.md
 * §2.4).
 */
async function reopen(
  tx: Tx,
  { messageId }: ReportSubject,
  now: number,
): Promise<void> {
  await tx.query(
    `UPDATE report SET status = 'received', status_at = $2, claimed_by = NULL
     WHERE message_id = $1 AND kind = 'report'
       AND status IN ('resolved', 'dismissed')`,
    [messageId, now],
  );
}

/** Null when the request_id is taken, perhaps at this moment. */
async function insertReport(
  tx: Tx,
  request: ReportRequest,
  { messageId, cardId }: ReportSubject,
  hash: Buffer,
  now: number,
): Promise<ReportRow | null> {
  const [row] = await tx.query<ReportRow>(
    `INSERT INTO report AS p (request_id, content_hash, kind, reason, detail,
       message_id, card_id, created_at, status_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     ON CONFLICT (request_id) DO NOTHING RETURNING ${REPORT_COLUMNS}`,
    [
      request.request_id,
      hash,
      request.kind,
      request.reason,
      request.detail ?? null,
      messageId,
      cardId,
      now,
    ],
  );
  return row ?? null;
}
