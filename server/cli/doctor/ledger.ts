import { equalBytes } from '../../../protocol/bytes.js';
import { openCheckpoint } from '../../../protocol/checkpoint.js';
import { decodeFrontier, frontierRoot } from '../../../protocol/frontier.js';
import { rootPlan } from '../../../protocol/plan.js';
import { parseVkey } from '../../../protocol/vkey.js';
import type { Database } from '../../db/sql.js';
import { OWN_LOG, readTree } from '../../ledger/nodes.js';
import { type Check, fail, ok } from './check.js';

const BEHIND_MS = 120_000;
const RESTORE = 'restore the newest backup; do not start the board before';

type Head = {
  board: string;
  origin: string;
  log_vkey: string;
  size: number;
  frontier: Buffer;
  last_message_id: number;
  last_at: number;
  checkpoint: string;
  next_idx: number;
  newest: number;
};

export async function readHead(db: Database): Promise<Head | undefined> {
  const [head] = await db.query<Head>(
    `SELECT s.*,
       coalesce((SELECT max(idx) + 1 FROM log_entry e
                 WHERE e.origin_id = s.origin_id), 0) AS next_idx,
       coalesce((SELECT max(id) FROM message), 0) AS newest
     FROM log_state s WHERE s.origin_id = $1`,
    [OWN_LOG],
  );
  return head;
}

function countFault(head: Head): string | null {
  if (head.size !== head.next_idx) {
    return `the head says ${head.size} entries, the log holds ${head.next_idx}`;
  }
  if (head.last_message_id < head.newest) {
    return `the head's last message is ${head.last_message_id}, the newest is ${head.newest}`;
  }
  return null;
}

function signatureFault(head: Head): string | null {
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

async function treeFault(db: Database, head: Head): Promise<string | null> {
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

/** Size, ids, root and signature of the own log, once it has entries (B4). */
export async function ledger(db: Database): Promise<Check[]> {
  const name = 'ledger';
  const head = await readHead(db);
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
