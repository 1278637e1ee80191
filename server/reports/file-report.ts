import type { Request, RequestHandler } from 'express';
import { type BudgetCheck, boardKey, networkKey, windows } from '../budgets.js';
import type { Context } from '../context.js';
import type { Sql, Tx } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { requestNetwork } from '../http/request-network.js';
import { parseBody } from '../http/validate.js';
import type { CounterKeys } from '../network-keys.js';
import { takeBudgets } from '../take-budgets.js';
import {
  type ReportRequest,
  type ReportSubject,
  reportIdentity,
  reportRequest,
  subjectOf,
} from './report-request.js';
import { REPORT_COLUMNS, type ReportRow, reportView } from './report-view.js';

/**
 * POST /api/reports: a private report, appeal or selection error (spec/board.md
 * §7). 201 with the receipt, 200 with the same one for an exact retry, which
 * spends nothing; 400, 403, 404, 409, 413, 415, 422, 429.
 */
export function fileReport(ctx: Context): RequestHandler {
  const schema = reportRequest(ctx.limits);
  return async (req, res) => {
    const request = parseBody(schema, req.body);
    const subject = subjectOf(request);
    const { row, fresh } = await filed(ctx, req, request, subject);
    // A retry repeats the receipt; what became of it is at `status_url`.
    const first = {
      ...row,
      status: 'received',
      decided_message: null,
    } as const;
    const answer = reportView(first, ctx.config.baseUrl);
    const status = fresh ? 201 : 200;
    sendJson(req, res, answer, { cache: 'no-store', status });
  };
}

type Filed = { row: ReportRow; fresh: boolean };
type Known = ReportRow & { content_hash: Buffer };

async function filed(
  ctx: Context,
  req: Request,
  request: ReportRequest,
  subject: ReportSubject,
): Promise<Filed> {
  const hash = reportIdentity(ctx.keys.server, request);
  const known = await findReport(ctx.writes, request.request_id);
  if (known !== null) return { row: exactly(known, hash), fresh: false };
  await checkSubject(ctx.writes, subject);
  const network = requestNetwork(req, ctx.trustedProxies);
  const checks = reportChecks(await ctx.networkKeys.counterKeys(network));
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

function reportChecks(counters: CounterKeys): BudgetCheck[] {
  const key = networkKey(counters);
  const { tenMinutes, day } = windows;
  const scope = 'report';
  return [
    {
      limit: 'reports_per_network_10_minutes',
      scope,
      key,
      window: tenMinutes,
    },
    { limit: 'reports_per_network_day', scope, key, window: day },
    { limit: 'reports_per_board_day', scope, key: boardKey, window: day },
  ];
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
