import type { RequestHandler } from 'express';
import type { Database } from '../db/sql.js';
import type { Logger } from '../logger.js';
import { readHeadFile } from './head-file.js';
import { HeadMemory } from './head-memory.js';
import {
  emptyLogConflict,
  fileConflict,
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

  async check(): Promise<void> {
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
    this.looking = this.looking
      .then(() => this.check())
      .catch((error: unknown) => {
        this.parts.log.warn({ err: error }, 'the log guard could not look');
      });
    return this.looking;
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
