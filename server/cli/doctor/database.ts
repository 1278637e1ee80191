import { equalBytes } from '../../../protocol/bytes.js';
import { openCheckpoint } from '../../../protocol/checkpoint.js';
import { rootPlan } from '../../../protocol/plan.js';
import { decodeFrontier, frontierRoot } from '../../../protocol/tree.js';
import { parseVkey } from '../../../protocol/vkey.js';
import { pendingMigrations } from '../../db/migrate.js';
import { serverFacts } from '../../db/requirements.js';
import type { Database } from '../../db/sql.js';
import { OWN_LOG, readTree } from '../../ledger/own-log.sql.js';
import { isClockAhead } from '../../operations/clock-guard.js';
import { type LogHead, readLogHead } from '../../operations/operations.sql.js';
import { failureLines } from '../failure.js';
import { type Check, fail, failOf, ok } from './check.js';

export async function server(db: Database): Promise<Check[]> {
  const { version, faults } = await serverFacts(db);
  if (faults.length === 0) {
    return [ok('database', `PostgreSQL ${version}, durable`)];
  }
  return faults.map((fault) => failOf('database', fault));
}

export async function schema(db: Database): Promise<Check> {
  const name = 'schema';
  try {
    const pending = await pendingMigrations(db);
    if (pending.length === 0) return ok(name, 'at head');
    return fail(
      name,
      `lacks ${pending.join(', ')}`,
      'run "reserve-board migrate", or start the board',
    );
  } catch (error) {
    return failOf(name, failureLines(error).join(' '));
  }
}

/** A node closed writes after a clock step (§16.3). */
export async function clockStep(
  db: Database,
  dataDir: string,
): Promise<Check[]> {
  if (!(await isClockAhead(db, dataDir))) return [];
  const fix =
    'set it right by NTP; if it is right now, run "reserve-board clock accept"';
  return [fail('clock', 'it jumped ahead, and writes are closed', fix)];
}

const BEHIND_MS = 120_000;
const RESTORE = 'restore the newest backup; do not start the board before';

function countFault(head: LogHead): string | null {
  if (head.size !== head.next_idx) {
    return `the head says ${head.size} entries, the log holds ${head.next_idx}`;
  }
  if (head.last_message_id < head.newest) {
    return `the head's last message is ${head.last_message_id}, the newest is ${head.newest}`;
  }
  return null;
}

function signatureFault(head: LogHead): string | null {
  const vkey = parseVkey(head.log_vkey);
  if (!vkey.ok) return 'the log key is unreadable';
  const opened = openCheckpoint(head.checkpoint, vkey.value);
  if (!opened.ok) return `the checkpoint is refused: ${opened.reason}`;
  if (opened.value.size !== head.size) {
    return `the checkpoint is of size ${opened.value.size}, the head of ${head.size}`;
  }
  const root = frontierRoot(decodeFrontier(head.size, head.frontier));
  return equalBytes(root, opened.value.root)
    ? null
    : 'the root of the stored tree is not the signed one';
}

async function treeFault(db: Database, head: LogHead): Promise<string | null> {
  const plan = rootPlan(head.size);
  const { hashes } = await readTree(db, OWN_LOG, plan);
  const { hashes: frontier } = decodeFrontier(head.size, head.frontier);
  const same = plan.every(({ level, index }, at) => {
    const stored = hashes.get(`${level}/${index}`);
    const expected = frontier[at];
    return stored && expected && equalBytes(stored, expected);
  });
  return same ? null : 'the stored nodes do not make the signed root';
}

/** Size, ids, root and signature, once it has entries (§B4). */
export async function ledger(db: Database): Promise<Check[]> {
  const name = 'ledger';
  const head = await readLogHead(db);
  if (head === undefined || head.size === 0) return [];
  const fault =
    countFault(head) ?? signatureFault(head) ?? (await treeFault(db, head));
  const checks =
    fault === null
      ? [ok(name, `${head.origin}, ${head.size} entries, root signed`)]
      : [fail(name, fault, RESTORE)];
  const behind = head.last_at - Date.now();
  if (behind > BEHIND_MS) {
    const detail = `this machine is ${Math.round(behind / 1000)} s behind the last entry`;
    checks.push(fail('clock', detail, 'synchronise the clock by NTP'));
  }
  return checks;
}
