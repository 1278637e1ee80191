import { parseLogOrigin } from '../protocol/board-name.js';
import { equalBytes } from '../protocol/bytes.js';
import { rootPlan } from '../protocol/plan.js';
import { foldRoots } from '../protocol/tree.js';
import type { Database, Sql } from './db/sql.js';
import { BoardError } from './errors.js';
import { lookupIn, OWN_LOG, readHashes } from './ledger/nodes.js';
import { readHeadFile } from './log-head-file.js';
import type { Logger } from './logger.js';

/** What a peer's mirror shows of our own log, under our own signature. */
export type Witnessed = {
  peer: string;
  /** Of our log, or of a later generation of it. */
  origin: string;
  size: number;
  root: Uint8Array;
};

/** Peers that keep our log; the mesh implements it. */
export type Witnesses = {
  /** Asks every active peer at once, each for at most two seconds. */
  ask(): Promise<{ answered: number; seen: Witnessed[] }>;
};

const AGAIN_MS = 30_000;
const RETRY_SECONDS = 30;
const NO_WITNESSES: Witnesses = {
  ask: () => Promise.resolve({ answered: 0, seen: [] }),
};

type Parts = { db: Database; dataDir: string; log: Logger };

/**
 * The rollback guard (mesh.md B4, B13): a log that is behind its head file, or
 * behind or beside what a peer's mirror shows under our own signature, or of an
 * earlier generation than that, takes no writes, so that a restored old backup
 * becomes a recovery and not a fork. It looks at every start and every 30
 * seconds.
 */
export class LogGuard {
  private why: string | null = null;
  private witnesses = NO_WITNESSES;
  private answered = false;
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> = Promise.resolve();

  constructor(private readonly parts: Parts) {}

  /** Why writes are closed, as a sentence; null while they are open. */
  get closed(): string | null {
    return this.why;
  }

  /** @throws BoardError `log_guard` while writes are closed. */
  assertOpen(): void {
    if (this.why === null) return;
    throw new BoardError(
      'log_guard',
      `This board takes no writes just now: ${this.why}. Reading goes on; its operator has to act, so retry later.`,
      { retry_after_seconds: RETRY_SECONDS },
    );
  }

  /** Hands in the peers to ask from now on. */
  ask(witnesses: Witnesses): void {
    this.witnesses = witnesses;
  }

  /** One look; afterwards `closed` is what it found. */
  async check(): Promise<void> {
    // Peers first: they can only be ahead of a head that is read later when
    // it lost something.
    const { answered, seen } = await this.witnesses.ask();
    this.answered ||= answered > 0;
    const { db, dataDir, log } = this.parts;
    const found =
      (await this.behindFile(db, dataDir)) ?? (await besidePeer(db, seen));
    if (found !== null && this.why === null) {
      log.error({ reason: found }, 'writes are closed by the log guard');
    }
    if (found === null && this.why !== null) {
      log.info({}, 'the log guard opened writes again');
    }
    this.why = found;
  }

  start(): void {
    this.timer = setInterval(() => {
      this.looking = this.check().catch((error: unknown) => {
        this.parts.log.warn({ err: error }, 'the log guard could not look');
      });
    }, AGAIN_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.looking;
  }

  private async behindFile(sql: Sql, dataDir: string): Promise<string | null> {
    const kept = await readHeadFile(dataDir);
    if (kept === null) return null;
    const own = await headOf(sql);
    if (own !== null && isFormer(kept.origin, own.origin)) return null;
    const size = own?.origin === kept.origin ? own.size : 0;
    if (own !== null && own.origin !== kept.origin) {
      return `DATA_DIR/log.head belongs to the log ${kept.origin} and the database holds ${own.origin}; give the node its own DATA_DIR or database`;
    }
    if (size < kept.size) {
      return `its log has ${size} entries and DATA_DIR/log.head remembers ${kept.size}; run "reserve-board log restore" to pull the missing ones from a mirror`;
    }
    if (!(await holds(sql, kept))) {
      return `its log is not the one that DATA_DIR/log.head remembers at ${kept.size} entries; run "reserve-board log restore"`;
    }
    if (kept.restored && !this.answered) {
      return 'it was restored from a backup and no peer has answered yet; wait, or run "reserve-board restore --no-peers"';
    }
    return null;
  }
}

/** Whether a log is an earlier generation of a board's present one. */
export function isFormer(origin: string, present: string): boolean {
  const [before, now] = [parseLogOrigin(origin), parseLogOrigin(present)];
  return (
    before !== null &&
    before.name === now?.name &&
    before.generation < now.generation
  );
}

async function headOf(
  sql: Sql,
): Promise<{ origin: string; size: number } | null> {
  const [row] = await sql.query<{ origin: string; size: number }>(
    'SELECT origin, size FROM log_state WHERE origin_id = $1',
    [OWN_LOG],
  );
  return row ?? null;
}

/** Whether the own log has this root at this size, which it has reached. */
async function holds(
  sql: Sql,
  { size, root }: { size: number; root: Uint8Array },
): Promise<boolean> {
  const plan = rootPlan(size);
  const hashes = await readHashes(sql, OWN_LOG, plan);
  return equalBytes(foldRoots(plan.map(lookupIn(hashes))), root);
}

async function besidePeer(
  sql: Sql,
  seen: readonly Witnessed[],
): Promise<string | null> {
  if (seen.length === 0) return null;
  const own = await headOf(sql);
  const size = own?.size ?? 0;
  for (const { peer, origin } of seen) {
    if (own === null || !isFormer(own.origin, origin)) continue;
    return `its database holds ${own.origin}, and the mirror of ${peer} a later generation of that log, ${origin}, under this board's own signature; run "reserve-board log restore" on an empty database, or "reserve-board log new-generation" on this one`;
  }
  for (const witnessed of seen) {
    const { peer } = witnessed;
    if (witnessed.size > size) {
      return `its log has ${size} entries and the mirror of ${peer} holds ${witnessed.size} under this board's own signature; run "reserve-board log restore"`;
    }
    if (!(await holds(sql, witnessed))) {
      return `the mirror of ${peer} holds another history under this board's own signature, at ${witnessed.size} entries; run "reserve-board log restore"`;
    }
  }
  return null;
}
