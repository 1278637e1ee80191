import type { RequestHandler } from 'express';
import { z } from 'zod';
import { publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import { integer, oneOf, parseQuery, text } from '../../http/query-fields.js';
import type { AuditRow } from '../audit.js';
import { AUDIT_COLUMNS, auditRows, checkAudit } from '../audit-check.js';
import { streamFile } from '../stream-file.js';
import { answer } from './answers.js';

const PAGE = 50;
const PAGE_MAX = 100;

const LIST_QUERY = z.object({
  limit: integer({ min: 1, max: PAGE_MAX }).default(PAGE),
  before: integer({ min: 1 }).default(Number.MAX_SAFE_INTEGER),
  action: text().optional(),
  subject: text().optional(),
  operator: text().optional(),
});
const EXPORT_QUERY = z.object({
  format: oneOf(['csv', 'json']).default('json'),
});

export type AuditAnswer = {
  id: number;
  at: string;
  operator: string;
  operator_id: string | null;
  session_id: string | null;
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
  previous: string;
  hash: string;
};

function view(row: AuditRow): AuditAnswer {
  return {
    id: row.id,
    at: publicTime(row.at),
    operator: row.operator,
    operator_id: row.operator_id,
    session_id: row.session_id,
    action: row.action,
    subject: row.subject,
    before: parsed(row.before),
    after: parsed(row.after),
    previous: row.previous.toString('hex'),
    hash: row.hash.toString('hex'),
  };
}

/** A row that was edited by hand must be readable still. */
function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * GET /admin/api/audit?before&limit&action&subject&operator: `{data, next}`,
 * the newest first; `next` is the `before` of the next page or null. 400.
 */
export function listAudit(ctx: Context): RequestHandler {
  return async (req, res) => {
    const query = parseQuery(LIST_QUERY, req.originalUrl);
    const { limit, before, action, subject, operator } = query;
    const rows = await ctx.writes.query<AuditRow>(
      `SELECT ${AUDIT_COLUMNS} FROM operator_audit
       WHERE id < $1 AND ($2::text IS NULL OR action = $2)
         AND ($3::text IS NULL OR subject = $3)
         AND ($4::text IS NULL OR operator = $4)
       ORDER BY id DESC LIMIT $5`,
      [before, action ?? null, subject ?? null, operator ?? null, limit + 1],
    );
    const page = rows.slice(0, limit);
    const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
    answer(req, res, { data: page.map(view), next });
  };
}

/** GET /admin/api/audit/check: `{ok, rows, head, broken}`. */
export function checkTrail(ctx: Context): RequestHandler {
  return async (req, res) => answer(req, res, await checkAudit(ctx.writes));
}

/** GET /admin/api/audit/export?format=csv|json: the whole trail; 400. */
export function exportAudit(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { format } = parseQuery(EXPORT_QUERY, req.originalUrl);
    const rows = exported(auditRows(ctx.writes));
    const file = { name: 'operators-audit', format, columns: COLUMNS, rows };
    await streamFile(req, res, file);
  };
}

const COLUMNS = [
  ...['id', 'at', 'operator_id', 'operator', 'session_id'],
  ...['action', 'subject', 'before', 'after', 'previous', 'hash'],
];

/** `before` and `after` stay texts: the hash is over their very bytes. */
async function* exported(rows: AsyncIterable<AuditRow>) {
  for await (const row of rows) {
    yield {
      ...row,
      previous: row.previous.toString('hex'),
      hash: row.hash.toString('hex'),
    };
  }
}
