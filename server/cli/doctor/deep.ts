import path from 'node:path';
import { withClient } from '../../../mesh/cli/with-local-board.js';
import {
  comparePeers,
  type PeerView,
} from '../../../mesh/restore/compare-peers.js';
import { equalBytes, fromBase64 } from '../../../protocol/bytes.js';
import { openCheckpoint } from '../../../protocol/checkpoint.js';
import { rootPlan } from '../../../protocol/plan.js';
import { foldRoots, frontierRoot } from '../../../protocol/tree.js';
import { publicTime } from '../../clock.js';
import type { Config } from '../../config.js';
import type { Database, Sql } from '../../db/sql.js';
import { readSeed } from '../../ledger/board-seed.js';
import { lookupIn, OWN_LOG, readHashes } from '../../ledger/own-log.sql.js';
import type { BoardIdentity } from '../../ledger/record-identity.js';
import { planStart, type StartPlan } from '../../ledger/start-plan.js';
import { provenEntries } from '../../operations/backup/check-restored.js';
import {
  checkFiles,
  type Manifest,
  readManifest,
} from '../../operations/backup/manifest.js';
import { failureLines } from '../failure.js';
import { hasTables } from '../node.sql.js';
import { databaseExists, withOwnDatabase } from '../tool-database.js';
import { type Check, fail, ok, warn } from './check.js';

const SKEW_MS = 120_000;

/** Texts against the root, our log against mirrors, and backups. */
export async function deepChecks(
  config: Config,
  backups: readonly string[],
): Promise<Check[]> {
  if (!(await databaseExists(config))) {
    return await checkedBackups(null, config, backups);
  }
  try {
    return await withOwnDatabase(config, async (db) => {
      const there = await hasTables(db);
      const sql = there ? db : null;
      return [
        ...(there ? await ofLog(db, config) : []),
        ...(await checkedBackups(sql, config, backups)),
      ];
    });
  } catch (error) {
    return [fail('entries', failureLines(error).join(' '), 'see the page')];
  }
}

async function ofLog(db: Database, config: Config): Promise<Check[]> {
  const { kept, own } = await planStart(db, config, Date.now());
  if (kept === null || kept.size === 0) return [];
  return [await entries(db, { kept, own }), ...(await peers(db, config, own))];
}

/** Each text against its leaf, and the root. */
async function entries(
  db: Database,
  { kept, own }: { kept: NonNullable<StartPlan['kept']>; own: BoardIdentity },
): Promise<Check> {
  const name = 'entries';
  const broken = 'restore a backup; do not start the board before';
  try {
    const opened = openCheckpoint(kept.checkpoint, own.keys.log.vkey);
    if (!opened.ok) return fail(name, 'its checkpoint is refused', broken);
    const { size, root } = opened.value;
    const found = await db.snapshot((tx) =>
      provenEntries(tx, (what) => new Error(what)),
    );
    // A running node may have published meanwhile.
    const isSigned = found.size > size || equalBytes(frontierRoot(found), root);
    if (found.size < size || !isSigned) {
      return fail(name, 'their root is not the one that was signed', broken);
    }
    const all = `${found.size} entries make the signed root, and each text is the one that was signed`;
    return ok(name, all);
  } catch (error) {
    return fail(name, (error as Error).message, broken);
  }
}

async function peers(
  sql: Sql,
  config: Config,
  { board, keys }: BoardIdentity,
): Promise<Check[]> {
  const views = await withClient(config, (client) =>
    comparePeers({ sql, client }, { board, vkey: keys.log.vkey }),
  );
  return views.flatMap((view) => ofPeer(view));
}

function ofPeer(view: PeerView): Check[] {
  const { peer, answered, size, conflict, listed, clockMs, followed } = view;
  const name = `peer ${peer}`;
  if (!answered) {
    return [warn(name, 'does not answer', 'ask its operators')];
  }
  const checks: Check[] = [];
  if (conflict !== null) {
    checks.push(fail(name, conflict, 'see the page'));
  } else if (listed === 'quarantined') {
    const detail = 'it has quarantined this board';
    checks.push(fail(name, detail, 'see the page'));
  } else if (listed === null && followed) {
    const detail = 'it followed this board and does not list it any more';
    checks.push(warn(name, detail, 'ask its operators'));
  } else {
    const has = size === null ? 'it has no mirror of this board' : `${size}`;
    checks.push(ok(name, size === null ? has : `it mirrors ${has} entries`));
  }
  if (clockMs !== null && Math.abs(clockMs) > SKEW_MS) {
    const seconds = Math.round(Math.abs(clockMs) / 1000);
    const way = clockMs < 0 ? 'behind' : 'ahead of';
    const detail = `its clock is ${seconds} s ${way} this machine's`;
    checks.push(warn('clocks', `${peer}: ${detail}`, 'compare both with NTP'));
  }
  return checks;
}

async function checkedBackups(
  sql: Sql | null,
  config: Config,
  folders: readonly string[],
): Promise<Check[]> {
  const checks: Check[] = [];
  const seed = await readSeed(config).catch(() => null);
  for (const folder of folders) {
    const name = `backup ${folder}`;
    try {
      const from = path.resolve(folder);
      const manifest = await readManifest(from, seed);
      await checkFiles(from, manifest);
      checks.push(await againstLog(name, sql, manifest, seed !== null));
    } catch (error) {
      const [line = ''] = failureLines(error);
      checks.push(fail(name, line, 'use another backup'));
    }
  }
  return checks;
}

/** Whether the log extends the backup's. */
async function againstLog(
  name: string,
  sql: Sql | null,
  { log, made_at: at }: Manifest,
  sealed: boolean,
): Promise<Check> {
  const detail = `of ${publicTime(at)}, ${log.size} entries of ${log.origin}`;
  if (!sealed) {
    const why = 'without the seed it cannot be restored';
    return warn(
      name,
      `${detail}: ${why}`,
      'put your copy of board.seed into DATA_DIR and run this again; if there is none, see the page',
    );
  }
  const root = fromBase64(log.root, 32);
  const plan = rootPlan(log.size);
  if (sql === null || root === null) return ok(name, detail);
  const hashes = await readHashes(sql, OWN_LOG, plan);
  try {
    const own = foldRoots(plan.map(lookupIn(hashes)));
    if (equalBytes(own, root)) return ok(name, `${detail}; the log goes on`);
    return fail(name, `${detail}: of another history`, 'use another backup');
  } catch {
    const ahead = 'it has more than this database';
    return warn(name, `${detail}: ${ahead}`, 'see the page');
  }
}
