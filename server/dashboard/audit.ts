import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Context } from '../context.js';
import { OperatorAudit } from '../db/entities/operator-session.js';
import { lockNamed } from '../db/named-lock.sql.js';
import { nextId } from '../db/next-id.sql.js';
import type { Tx } from '../db/sql.js';
import type { SignedIn } from './session.js';

/** Without a session: the command line. */
export type Actor = {
  operatorId: string | null;
  operator: string;
  sessionId: string | null;
};

export type AuditEntry = {
  action: string;
  /** Such as `operator:anna` or `message:12`. */
  subject: string;
  before?: object | null;
  after?: object | null;
};

/** `previous` of the first row. */
export const NO_ROW: Buffer = Buffer.alloc(32);

export function actorOf({ operatorId, name, sessionId }: SignedIn): Actor {
  return { operatorId, operator: name, sessionId };
}

export function commandLineActor(): Actor {
  const operator = `command line (${systemAccount()})`;
  return { operatorId: null, operator, sessionId: null };
}

/** An account of a container may have a number and no name. */
function systemAccount(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** SHA-256 over the former hash and the members as a JSON array. */
export function auditHash(row: Omit<OperatorAudit, 'hash'>): Buffer {
  const { id, at, operatorId, operator, sessionId, action, subject } = row;
  const members = [
    ...[id, at, operatorId, operator, sessionId, action, subject],
    ...[row.before, row.after],
  ];
  return createHash('sha256')
    .update(row.previous)
    .update(JSON.stringify(members), 'utf8')
    .digest();
}

/** Call it last: it locks the trail (spec/operators.md §1.6). */
export async function recordAudit(
  tx: Tx,
  { operatorId, operator, sessionId }: Actor,
  entries: AuditEntry | readonly AuditEntry[],
  at: number,
): Promise<void> {
  const all = [entries].flat();
  if (all.length === 0) return;
  const first = await nextId(tx, 'operator_audit', all.length);
  const last = await tx.manager.findOneBy(OperatorAudit, { id: first - 1 });
  let previous = last?.hash ?? NO_ROW;
  const rows = all.map(({ action, subject, before, after }, n) => {
    const row = {
      id: first + n,
      at,
      action,
      subject,
      operatorId,
      operator,
      sessionId,
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      previous,
    };
    previous = auditHash(row);
    return { ...row, hash: previous };
  });
  await tx.manager.insert(OperatorAudit, rows);
}

type AuditedWork<T> = (
  tx: Tx,
  now: number,
) => Promise<{ answer: T; subject?: string } & Partial<AuditEntry>>;

export type Audit = <T>(work: AuditedWork<T>) => Promise<T>;

/**
 * Actions on one kind of thing (`watch` of `watch.save`) run one after the
 * other, so that what one reads before it writes is still true at its commit.
 */
export async function audited<T>(
  { writes, clock }: Pick<Context, 'writes' | 'clock'>,
  actor: Actor,
  action: string,
  work: AuditedWork<T>,
): Promise<T> {
  const now = clock.now();
  const [kind = action] = action.split('.');
  return await writes.transaction(async (tx) => {
    await lockNamed(tx, `operator ${kind}`);
    const { answer, subject, ...entry } = await work(tx, now);
    if (subject !== undefined) {
      await recordAudit(tx, actor, { action, subject, ...entry }, now);
    }
    return answer;
  });
}
