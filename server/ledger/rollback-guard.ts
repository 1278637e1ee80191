import type { RequestHandler } from 'express';
import { equalBytes } from '../../protocol/bytes.js';
import { LogState } from '../db/entities/log.js';
import type { LogEnd } from '../db/notifications.js';
import type { Database, Sql } from '../db/sql.js';
import type { Logger } from '../logger.js';
import { readHeadFile } from './head-file.js';
import { OWN_LOG } from './own-log.sql.js';
import {
  emptyLogConflict,
  fileConflict,
  holds,
  isFormer,
  peerConflict,
  type Witnessed,
  writesClosed,
} from './rollback-checks.js';

/** Implemented by the mesh: peers that mirror our log. */
export type Witnesses = {
  /** All active peers at once, at most two seconds each. */
  ask(): Promise<{ answered: number; seen: Witnessed[] }>;
};

const AGAIN_MS = { open: 30_000, closed: 5000 };
const NO_WITNESSES: Witnesses = {
  ask: () => Promise.resolve({ answered: 0, seen: [] }),
};

type Parts = { db: Database; dataDir: string; log: Logger };

/**
 * The rollback guard (spec/mesh.md §B4.4; spec/board.md §16.22): a log that
 * is behind its head file, or behind or beside what a peer's mirror shows under
 * our own signature, or of an earlier generation than that, or that has no
 * entry here, takes no writes, so that a restored old backup becomes a recovery
 * and not a fork. It looks at every start and every 30 seconds; every 5 seconds
 * while writes are closed.
 */
export class RollbackGuard {
  private why: string | null = null;
  private witnesses = NO_WITNESSES;
  private answered = false;
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> = Promise.resolve();
  /** Every batch has to extend it. */
  readonly memory = new HeadMemory(() => this.look());

  constructor(private readonly parts: Parts) {}

  /** A sentence; null while writes are open. */
  get closed(): string | null {
    return this.why;
  }

  /** @throws BoardError `log_guard` while writes are closed. */
  assertOpen(): void {
    if (this.why !== null) throw writesClosed(this.why);
  }

  ask(witnesses: Witnesses): void {
    this.witnesses = witnesses;
  }

  /** After the one that runs, so that an older finding never wins. */
  check(): Promise<void> {
    const check = this.looking.then(() => this.decide());
    this.looking = check.catch(() => {});
    return check;
  }

  private async decide(): Promise<void> {
    const { db, log } = this.parts;
    const found =
      (await this.fileOrPeerConflict()) ?? (await emptyLogConflict(db));
    if (found !== null && this.why === null) {
      log.error({ reason: found }, 'writes are closed by the log guard');
    }
    if (found === null && this.why !== null) {
      log.info({}, 'the log guard opened writes again');
    }
    this.why = found;
  }

  async mayBegin(): Promise<boolean> {
    return (await this.fileOrPeerConflict()) === null;
  }

  start(): void {
    const pause = this.why === null ? AGAIN_MS.open : AGAIN_MS.closed;
    this.timer = setTimeout(async () => {
      await this.look();
      if (this.timer !== null) this.start();
    }, pause);
    this.timer.unref();
  }

  private look(): Promise<void> {
    return this.check().catch((error: unknown) => {
      this.parts.log.warn({ err: error }, 'the log guard could not look');
    });
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.looking;
  }

  private async fileOrPeerConflict(): Promise<string | null> {
    const { db, dataDir } = this.parts;
    // Peers first: read later, a head can only be ahead of theirs.
    const { answered, seen } = await this.witnesses.ask();
    this.answered ||= answered > 0;
    const kept = await readHeadFile(dataDir);
    return (
      (await fileConflict(db, kept, this.answered)) ??
      (await this.memory.conflict(db)) ??
      (await peerConflict(db, seen))
    );
  }
}

/**
 * Every public write answers 503 while a guard is closed (spec/mesh.md §B4,
 * spec/board.md §16.3), also votes: the IDs they depend on are in doubt.
 * Exceptions declare `openWithoutLog`.
 */
export function closedWrites(
  guards: readonly Pick<RollbackGuard, 'assertOpen'>[],
  endpoints: readonly { path: string; openWithoutLog: boolean }[],
): RequestHandler {
  const open = new Set(
    endpoints.flatMap((one) => (one.openWithoutLog ? [one.path] : [])),
  );
  return (req, _res, next) => {
    if (req.method === 'POST' && !open.has(req.path)) {
      for (const guard of guards) guard.assertOpen();
    }
    next();
  };
}

type Locked = {
  origin: string;
  size: number;
  /** At the end's size; null without such a checkpoint. */
  rootBefore: Uint8Array | null;
};

/**
 * The newest end that this process committed or saw. A database without it has
 * lost data (a lagging replica was promoted) or is one of two primaries:
 * nothing may be signed on it.
 */
export class HeadMemory {
  private newest: LogEnd | null = null;

  /** @param lost called when the database lacks the end */
  constructor(private readonly lost: () => void = () => {}) {}

  get end(): LogEnd | null {
    return this.newest;
  }

  /** Ignores older ends and other logs. */
  remember(end: LogEnd): void {
    const { newest } = this;
    const isLater =
      newest === null ||
      (newest.origin === end.origin
        ? end.size > newest.size
        : isFormer(newest.origin, end.origin));
    if (isLater) this.newest = end;
  }

  /** Why the database forbids to sign. */
  async conflict(sql: Sql): Promise<string | null> {
    const { newest } = this;
    const own = await sql.manager.findOneBy(LogState, { originId: OWN_LOG });
    if (newest === null || own === null) return null;
    if (own.origin !== newest.origin) return other(own.origin, newest.origin);
    if (own.size >= newest.size && (await holds(sql, newest))) return null;
    return lack(own.size, newest.size);
  }

  /**
   * @param end as remembered before the root was asked for
   * @throws BoardError `log_guard` when the locked log does not extend it
   */
  async assertExtended(sql: Sql, end: LogEnd, locked: Locked): Promise<void> {
    const { origin, size, rootBefore } = locked;
    if (end.origin !== origin) {
      const why = other(origin, end.origin);
      if (why === null) return;
      this.lost();
      throw writesClosed(why);
    }
    const isIn =
      size >= end.size &&
      (rootBefore === null
        ? await holds(sql, end)
        : equalBytes(rootBefore, end.root));
    if (isIn) return;
    this.lost();
    throw writesClosed(lack(size, end.size));
  }
}

/** Why a log may not continue the signed one. */
function other(found: string, signed: string): string | null {
  if (isFormer(signed, found)) return null;
  return `its database holds ${found}, and this process has signed or seen ${signed}; see that DATABASE_URL or DATA_DIR leads to the right one`;
}

function lack(size: number, end: number): string {
  return `its database has ${size} entries and lacks the end of the log that this process has signed or seen, at ${end}; see that it is the right primary, then run "reserve-board log restore --from <peer>"`;
}
