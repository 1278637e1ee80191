import { equalBytes } from '../../protocol/bytes.js';
import { LogState } from '../db/entities/log.js';
import type { LogEnd } from '../db/grown-note.js';
import type { Sql } from '../db/sql.js';
import { OWN_LOG } from './own-log.sql.js';
import { holds, isFormer, writesClosed } from './rollback-checks.js';

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
  return `its database holds ${found}, and this process has signed or seen ${signed}; see that DATABASE_URL leads to the right database`;
}

function lack(size: number, end: number): string {
  return `its database has ${size} entries and lacks the end of the log that this process has signed or seen, at ${end}; see that it is the right primary, then run "reserve-board log restore --from <peer>"`;
}
