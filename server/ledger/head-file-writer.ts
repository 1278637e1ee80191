import { decodeFrontier, frontierRoot } from '../../protocol/tree.js';
import type { Clock } from '../clock.js';
import { LogState } from '../db/entities/log.js';
import type { Events, Subscription } from '../db/events.js';
import type { Database } from '../db/sql.js';
import type { Logger } from '../logger.js';
import { readHeadFile, writeHeadFile } from './head-file.js';
import { OWN_LOG } from './own-log.sql.js';
import { isFormer } from './rollback-checks.js';
import type { RollbackGuard } from './rollback-guard.js';

const EVERY_MS = 10_000;

type Parts = {
  db: Database;
  dataDir: string;
  clock: Clock;
  events: Events;
  guard: Pick<RollbackGuard, 'closed'>;
  log: Logger;
};

/**
 * Keeps `DATA_DIR/log.head` (spec/mesh.md §B13): written after commits, at most
 * every ten seconds and at stop, and never while the guard says that the
 * database is the one that forgot.
 */
export class HeadFileWriter {
  private subscription: Subscription | null = null;
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly parts: Parts) {}

  async start(): Promise<void> {
    await this.write();
    this.follow();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.subscription?.close();
    if (this.timer !== null) clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  private follow(): void {
    if (this.stopped) return;
    this.subscription = this.parts.events.subscribe('log');
    void this.subscription.woken.then(() => {
      if (this.stopped) return;
      this.timer = setTimeout(() => {
        this.writing = this.write().then(() => this.follow());
      }, EVERY_MS);
      this.timer.unref();
    });
  }

  /** A file that cannot be written must not stop a board that can write. */
  private async write(): Promise<void> {
    const { db, dataDir, clock, guard, log } = this.parts;
    if (guard.closed !== null) return;
    try {
      await updateHeadFile(db, dataDir, clock);
    } catch (error) {
      log.warn({ err: error }, 'the head file could not be written');
    }
  }
}

/** Writes the head file, unless what it holds is as new as the log. */
export async function updateHeadFile(
  db: Database,
  dataDir: string,
  clock: Clock,
): Promise<void> {
  const row = await db.manager.findOneBy(LogState, { originId: OWN_LOG });
  const kept = await readHeadFile(dataDir);
  if (row === null) return;
  const grown =
    kept === null ||
    isFormer(kept.origin, row.origin) ||
    row.size > kept.size ||
    (row.size === kept.size && row.lastMessageId > kept.lastMessageId);
  if (!grown && !kept.restored) return;
  await writeHeadFile(dataDir, {
    origin: row.origin,
    size: row.size,
    root: frontierRoot(decodeFrontier(row.size, row.frontier)),
    lastMessageId: row.lastMessageId,
    time: clock.now(),
    restored: false,
  });
}
