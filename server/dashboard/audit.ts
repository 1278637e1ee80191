import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Context } from '../context.js';
import { OperatorAudit } from '../db/entities/operator-session.js';
import { lockNamed } from '../db/named-lock.sql.js';
import { nextId } from '../db/next-id.sql.js';
import type { Tx } from '../db/sql.js';
import type { SignedIn } from './session.js';

/** Who did something; without a session it was the command line. */
export type Actor = {
  operatorId: string | null;
  operator: string;
  sessionId: string | null;
};

/** One thing that was done; no passphrase, code, token or secret goes in. */
type AuditEntry = {
  /** The name of an action, or of a command. */
  action: string;
  /** On what, such as `operator:anna` or `message:12`. */
  subject: string;
  before?: object | null;
  after?: object | null;
};

/** The `previous` of the first row. */
export const NO_ROW: Buffer = Buffer.alloc(32);

export function actorOf({ operatorId, name, sessionId }: SignedIn): Actor {
  return { operatorId, operator: name, sessionId };
}

/** Who runs a command on the machine, by the account of the system. */
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

/** SHA-256 of the hash before and of the row's members as a JSON array. */
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

/**
 * Writes an entry into the audit trail, in the transaction of what was done
 * (spec/operators.md §1.6). It locks the trail's counter until the transaction
 * ends, so call it last.
 */
export async function recordAudit(
  tx: Tx,
  { operatorId, operator, sessionId }: Actor,
  { action, subject, before, after }: AuditEntry,
  at: number,
): Promise<void> {
  const id = await nextId(tx, 'operator_audit');
  const last = await tx.manager.findOneBy(OperatorAudit, { id: id - 1 });
  const row = {
    ...{ id, at, operatorId, operator, sessionId, action, subject },
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
    previous: last?.hash ?? NO_ROW,
  };
  await tx.manager.insert(OperatorAudit, { ...row, hash: auditHash(row) });
}

/** Work that is written into the trail; without a subject it did nothing. */
type AuditedWork<T> = (
  tx: Tx,
  now: number,
) => Promise<{ answer: T; subject?: string } & Partial<AuditEntry>>;

/** Does work and writes it into the audit trail, in one transaction. */
export type Audit = <T>(work: AuditedWork<T>) => Promise<T>;

/**
 * The same for an actor and the name of an action. Actions on one kind of thing
 * (`watch` of `watch.save`) run one after the other, so that what one looks for
 * before it writes, a name or a count, is still so when it commits.
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
