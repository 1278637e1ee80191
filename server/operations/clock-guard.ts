import { Between, IsNull } from 'typeorm';
import { type Clock, type ClockBase, SteadyClock } from '../clock.js';
import { Alarm } from '../db/entities/operations.js';
import { OperatorAudit } from '../db/entities/operator-session.js';
import type { Database, Sql } from '../db/sql.js';
import { unavailable } from '../errors.js';
import type { Logger } from '../logger.js';
import { type Alert, clearAlert, raiseAlert } from './alerts.js';
import { nodeClock, writeClockBase } from './clock-file.js';

const LOOK_EVERY_MS = 1000;
const RETRY_SECONDS = 30;
/** An accepted time may differ by this. */
const ACCEPTED_WITHIN_MS = 600_000;

/** The action on the operators' trail. */
export const CLOCK_ACCEPT = 'clock.accept';

const CLOCK_ALERT = { kind: 'clock_ahead', subject: 'board' } as const;

/** Found by a running node, or by one that starts now. */
export async function isClockAhead(
  { manager }: Sql,
  dataDir: string,
): Promise<boolean> {
  const open = { ...CLOCK_ALERT, clearedAt: IsNull() };
  if (await manager.existsBy(Alarm, open)) return true;
  return (await nodeClock(dataDir)).ahead() > 0;
}

type Parts = { clock: Clock; db: Database; dataDir: string; log: Logger };

/**
 * Closes writes while the clock is ahead by a step (spec/board.md §16.3), until
 * it is back or an operator accepts it. The board's clock never shows the step.
 */
export class ClockGuard {
  private readonly clock: SteadyClock | null;
  private closed = false;
  /** Without the step: acceptances up to it were given before the step. */
  private closedAt = 0;
  private kept: ClockBase | null = null;
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> = Promise.resolve();

  /** @param parts.clock other kinds than a node's never step */
  constructor(private readonly parts: Parts) {
    this.clock = parts.clock instanceof SteadyClock ? parts.clock : null;
  }

  /** In seconds. */
  get aheadSeconds(): number {
    return Math.round((this.clock?.ahead() ?? 0) / 1000);
  }

  assertOpen(): void {
    const ahead = this.aheadSeconds;
    if (ahead === 0) return;
    throw unavailable(
      `This board takes no writes just now: the clock of its machine jumped ahead by ${ahead} s. Reading goes on; retry the same request later, nothing is stored twice.`,
      RETRY_SECONDS,
    );
  }

  async look(): Promise<void> {
    const ahead = this.aheadSeconds;
    if (ahead > 0) {
      if (!this.closed) this.close(ahead);
      if (await this.isAccepted()) this.clock?.accept();
    }
    if (!this.closed) return;
    if (this.aheadSeconds === 0) await this.open();
    else await this.alert(ahead);
  }

  async start(): Promise<void> {
    const { clock, db, log } = this.parts;
    await this.keep();
    if (this.aheadSeconds > 0) {
      this.tell(this.aheadSeconds);
      this.closed = true;
      // An acceptance covers earlier steps, too.
      await this.look();
    } else {
      await clearAlert(db, CLOCK_ALERT, clock.now());
    }
    this.timer = setInterval(() => {
      this.looking = this.looking
        .then(() => this.tick())
        .catch((error: unknown) => {
          log.warn({ err: error }, 'the clock guard could not look');
        });
    }, LOOK_EVERY_MS);
    this.timer.unref();
  }

  private async tick(): Promise<void> {
    if (this.aheadSeconds > 0 || this.closed) await this.look();
    await this.keep();
  }

  private async keep(): Promise<void> {
    const { clock } = this;
    if (clock === null || clock.base === this.kept) return;
    this.kept = clock.base;
    const { dataDir, log } = this.parts;
    await writeClockBase(dataDir, clock.base).catch((error: unknown) => {
      log.warn({ err: error }, 'the base of the clock could not be written');
    });
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.looking;
  }

  private close(ahead: number): void {
    this.tell(ahead);
    this.closedAt = this.parts.clock.now();
    this.closed = true;
  }

  private tell(ahead: number): void {
    this.parts.log.error(
      { ahead_seconds: ahead },
      'the clock jumped ahead; writes are closed',
    );
  }

  private async alert(ahead: number): Promise<void> {
    const { clock, db } = this.parts;
    const alert: Alert = {
      ...CLOCK_ALERT,
      detail: `The clock of the machine jumped ahead by ${ahead} s, and writes are closed. Set it right by NTP; if it is right now, run "reserve-board clock accept".`,
    };
    await raiseAlert(db, alert, clock.now());
  }

  private async open(): Promise<void> {
    const { clock, db, log } = this.parts;
    log.info({}, 'the clock is right; writes are open again');
    await clearAlert(db, CLOCK_ALERT, clock.now());
    this.closed = false;
  }

  private async isAccepted(): Promise<boolean> {
    const shown = this.parts.clock.now() + (this.clock?.ahead() ?? 0);
    return await this.parts.db.manager.existsBy(OperatorAudit, {
      action: CLOCK_ACCEPT,
      at: Between(
        Math.max(shown - ACCEPTED_WITHIN_MS, this.closedAt + 1),
        shown + ACCEPTED_WITHIN_MS,
      ),
    });
  }
}
