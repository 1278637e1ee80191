import { In, LessThan, MoreThan } from 'typeorm';
import { z } from 'zod';
import { publicTime } from '../../clock.js';
import { IdCounter } from '../../db/entities/counter.js';
import { Message } from '../../db/entities/message.js';
import { OperatorAudit } from '../../db/entities/operator-session.js';
import type { Sql } from '../../db/sql.js';
import { cutCodePoints } from '../../http/code-points.js';
import { integer, oneOf, text } from '../../http/query.js';
import { auditHash, NO_ROW } from '../audit.js';
import { command } from '../command.js';
import { pageOf } from '../page.js';
import { streamFile } from '../stream-file.js';

function view(row: OperatorAudit, texts: ReadonlyMap<string, string>) {
  const { id, at, operator, action, subject } = row;
  return {
    id,
    at: publicTime(at),
    operator,
    operator_id: row.operatorId,
    session_id: row.sessionId,
    action,
    subject,
    text: texts.get(subject) ?? nameIn(row),
    before: parsed(row.before),
    after: parsed(row.after),
    ...hashesOf(row),
  };
}

/** Of a rule or channel, whose subject is a UUID that says nothing. */
function nameIn({ subject, before, after }: OperatorAudit): string | null {
  if (!/^(?:watch|notification):/.test(subject)) return null;
  const it = Object(parsed(after ?? before));
  return it.name ?? [it.way, it.url ?? it.address].filter(Boolean).join(' ');
}

function hashesOf({ previous, hash }: OperatorAudit) {
  return { previous: previous.toString('hex'), hash: hash.toString('hex') };
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

const EXCERPT = 80;

/** The beginnings of the messages that rows are about, by subject. */
async function textsOf(
  { manager }: Sql,
  rows: readonly OperatorAudit[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.map(
    ({ subject }) => /^message:(\d{1,15})$/.exec(subject)?.[1],
  );
  const select = { id: true, title: true, body: true } as const;
  const where = { id: In(ids.filter((id) => id !== undefined)) };
  const found = await manager.find(Message, { select, where });
  return new Map(
    found.map(({ id, title, body }) => {
      const text = title ?? body ?? '';
      const begin = cutCodePoints(text, EXCERPT);
      return [`message:${id}`, begin === text ? text : `${begin}…`];
    }),
  );
}

/** `{data, next}`, newest first; `next` is the next `before`, or null. 400. */
export const listAudit = command({
  name: 'audit.list',
  http: 'GET /audit',
  right: 'viewer',
  input: z.object({
    limit: integer({ min: 1, max: 100 }).default(50),
    before: integer({ min: 1 }).default(Number.MAX_SAFE_INTEGER),
    action: text().optional(),
    subject: text().optional(),
    operator: text().optional(),
  }),
  handle: async ({ ctx, input: { limit, before, ...given } }) => {
    const filters = Object.entries(given).filter(([, it]) => it !== undefined);
    const rows = await ctx.writes.manager.find(OperatorAudit, {
      where: { id: LessThan(before), ...Object.fromEntries(filters) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    const { data, next } = pageOf(rows, limit, ({ id }) => id);
    const texts = await textsOf(ctx.reads, data);
    return { data: data.map((row) => view(row, texts)), next };
  },
});

export const checkTrail = command({
  name: 'audit.check',
  http: 'GET /audit/check',
  right: 'viewer',
  handle: ({ ctx }) => checkAudit(ctx.writes),
});

export const exportAudit = command({
  name: 'audit.export',
  http: 'GET /audit/export',
  right: 'viewer',
  input: z.object({ format: oneOf(['csv', 'json']).default('json') }),
  handle: async ({ ctx, req, res, input: { format } }) => {
    const rows = exported(auditRows(ctx.writes));
    const file = { name: 'operators-audit', format, columns: COLUMNS, rows };
    await streamFile(req, res, file);
    return undefined;
  },
});

const COLUMNS = [
  ...['id', 'at', 'operator_id', 'operator', 'session_id'],
  ...['action', 'subject', 'before', 'after', 'previous', 'hash'],
];

/** Texts, not JSON: the hash is over their bytes. */
async function* exported(rows: AsyncIterable<OperatorAudit>) {
  for await (const row of rows) {
    const { id, at, operator, action, subject, before, after } = row;
    yield {
      id,
      at,
      operator_id: row.operatorId,
      operator,
      session_id: row.sessionId,
      action,
      subject,
      before,
      after,
      ...hashesOf(row),
    };
  }
}

const READ_AT_ONCE = 1000;

type AuditCheck = {
  ok: boolean;
  /** Read until the end or the first bad one. */
  rows: number;
  /** Hex, of the last good row: compare it with one noted earlier. */
  head: string;
  broken: { id: number; problem: string } | null;
};

/** Oldest first, by pages. */
async function* auditRows({ manager }: Sql): AsyncGenerator<OperatorAudit> {
  for (let after = 0; ; ) {
    const page = await manager.find(OperatorAudit, {
      where: { id: MoreThan(after) },
      order: { id: 'ASC' },
      take: READ_AT_ONCE,
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < READ_AT_ONCE) return;
    after = last.id;
  }
}

/** Rows ever written, by the counter of their ids. */
async function auditLength({ manager }: Sql): Promise<number> {
  const which = { name: 'operator_audit' };
  return (await manager.findOneBy(IdCounter, which))?.lastId ?? 0;
}

/**
 * Finds the first row that was changed, removed or inserted behind the board's
 * back (spec/operators.md §R5 G5). A rewritten trail has another head.
 */
async function checkAudit(db: Sql): Promise<AuditCheck> {
  const length = await auditLength(db);
  let head = NO_ROW;
  let rows = 0;
  const broken = (id: number, problem: string): AuditCheck => ({
    ok: false,
    rows,
    head: head.toString('hex'),
    broken: { id, problem },
  });
  for await (const row of auditRows(db)) {
    if (row.id > length && row.id > (await auditLength(db))) {
      return broken(row.id, 'it was put in: its number was never given out');
    }
    if (row.id !== rows + 1) {
      return broken(rows + 1, 'it is missing');
    }
    if (!row.previous.equals(head)) {
      return broken(row.id, 'it does not go on from the row before it');
    }
    if (!row.hash.equals(auditHash(row))) {
      return broken(row.id, 'it was changed after it was written');
    }
    head = row.hash;
    rows += 1;
  }
  if (rows < length) return broken(rows + 1, 'it is missing');
  return { ok: true, rows, head: head.toString('hex'), broken: null };
}
