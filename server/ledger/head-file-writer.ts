import { decodeFrontier, frontierRoot } from '../../protocol/tree.js';
import type { Clock } from '../clock.js';
import { LogState } from '../db/entities/log.js';
import type { Events, Subscription } from '../db/events.js';
import type { LogEnd } from '../db/notifications.js';
import type { Database } from '../db/sql.js';
import type { Logger } from '../logger.js';
import { readHeadFile, writeHeadFile } from './head-file.js';
import { OWN_LOG } from './own-log.sql.js';
import { isFormer } from './rollback-checks.js';
import type { HeadMemory, RollbackGuard } from './rollback-guard.js';

const EVERY_MS = 10_000;

type Parts = {
  db: Database;
  dataDir: string;
  clock: Clock;
  events: Events;
  guard: Pick<RollbackGuard, 'closed'>;
  memory: HeadMemory;
  log: Logger;
};

/**
 * Keeps `DATA_DIR/log.head` (spec/mesh.md §B4.4): written after commits, at most
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

  /** A failed write must not stop a board that can write otherwise. */
  private async write(): Promise<void> {
    const { db, dataDir, clock, guard, memory, log } = this.parts;
    if (guard.closed !== null) return;
    try {
      const end = await updateHeadFile(db, dataDir, clock);
      if (end !== null) memory.remember(end);
    } catch (error) {
      log.warn({ err: error }, 'the head file could not be written');
    }
  }
}

/** Returns the end that the file then contains; null if none of this log. */
export async function updateHeadFile(
  db: Database,
  dataDir: string,
  clock: Clock,
): Promise<LogEnd | null> {
  const row = await db.manager.findOneBy(LogState, { originId: OWN_LOG });
  const kept = await readHeadFile(dataDir);
  if (row === null) return null;
  const isOfSameLog = kept?.origin === row.origin;
  // Another board's database must not replace it.
  if (kept !== null && !isOfSameLog && !isFormer(kept.origin, row.origin)) {
    return null;
  }
  const grown =
    kept === null ||
    !isOfSameLog ||
    row.size > kept.size ||
    (row.size === kept.size && row.lastMessageId > kept.lastMessageId);
  if (!grown && !kept.restored) return null;
  const root = frontierRoot(decodeFrontier(row.size, row.frontier));
  const end = { origin: row.origin, size: row.size, root };
  await writeHeadFile(dataDir, {
    ...end,
    lastMessageId: row.lastMessageId,
    time: clock.now(),
    restored: false,
  });
  return end;
}
