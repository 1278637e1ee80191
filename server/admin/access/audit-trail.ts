import type { Request, RequestHandler, Response } from 'express';
import { publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import { sendText } from '../../http/conditional.js';
import { readQuery } from '../../http/query.js';
import type { AuditRow } from '../audit.js';
import { AUDIT_COLUMNS, auditRows, checkAudit } from '../audit-check.js';
import { answer } from './answers.js';

const PAGE = 50;
const PAGE_MAX = 100;

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
    const query = readQuery(req);
    const limit = query.integer('limit', {
      min: 1,
      max: PAGE_MAX,
      default: PAGE,
    });
    const rows = await ctx.writes.query<AuditRow>(
      `SELECT ${AUDIT_COLUMNS} FROM operator_audit
       WHERE id < $1 AND ($2::text IS NULL OR action = $2)
         AND ($3::text IS NULL OR subject = $3)
         AND ($4::text IS NULL OR operator = $4)
       ORDER BY id DESC LIMIT $5`,
      [
        query.integer('before', { min: 1, default: Number.MAX_SAFE_INTEGER }),
        query.string('action') ?? null,
        query.string('subject') ?? null,
        query.string('operator') ?? null,
        limit + 1,
      ],
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
    const format = readQuery(req).oneOf('format', ['csv', 'json']) ?? 'json';
    const rows: AuditRow[] = [];
    for await (const row of auditRows(ctx.writes)) {
      rows.push(row);
    }
    if (format === 'json') sendFile(req, res, asJson(rows), 'json');
    else sendFile(req, res, asCsv(rows), 'csv');
  };
}

const TYPES = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;

function sendFile(
  req: Request,
  res: Response,
  text: string,
  format: keyof typeof TYPES,
): void {
  res.setHeader(
    'Content-Disposition',
    `attachment; filename="operators-audit.${format}"`,
  );
  sendText(req, res, text, { cache: 'no-store', type: TYPES[format] });
}

/** `before` and `after` stay texts: the hash is over their very bytes. */
function asJson(rows: readonly AuditRow[]): string {
  const data = rows.map((row) => ({
    ...row,
    previous: row.previous.toString('hex'),
    hash: row.hash.toString('hex'),
  }));
  return JSON.stringify({ data });
}

const CSV = [
  ...(['id', 'at', 'operator_id', 'operator', 'session_id'] as const),
  ...(['action', 'subject', 'before', 'after'] as const),
  ...(['previous', 'hash'] as const),
];

function asCsv(rows: readonly AuditRow[]): string {
  const line = (row: AuditRow) => CSV.map((name) => cell(row[name])).join(',');
  return `${[CSV.join(','), ...rows.map(line)].join('\r\n')}\r\n`;
}

/** Quoted, and never taken for a formula by a spreadsheet. */
function cell(value: AuditRow[keyof AuditRow]): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = Buffer.isBuffer(value) ? value.toString('hex') : value;
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
