import type { Clock, ClockStep } from './clock.js';
import type { Config } from './config.js';
import type { Events } from './db/events.js';
import type { Replicas } from './db/replicas/replicas.js';
import type { Database } from './db/sql.js';
import type { TrustedProxies } from './http/network.js';
import type { ReadLimiter } from './http/rate-limits/read-limiter.js';
import type { NetworkKeys } from './http/rate-limits/write-limits.js';
import type { BoardKeys } from './ledger/board-keys.js';
import type { Ledger } from './ledger/ledger.js';
import type { RollbackGuard } from './ledger/rollback-guard.js';
import type { Limits } from './limits.js';
import type { Logger } from './logger.js';

/**
 * What every handler gets. What one feature needs is handed to it by who makes
 * it: `handle: (ctx: Context & { relay: RelayPort }) => …`, and `AppContext`
 * of `app.ts` has it.
 */
export type Context = {
  readonly config: Config;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Logger;
  /** A replica may answer single statements. */
  readonly reads: Database;
  /** Own connections to the primary, for reads above 100 ms. */
  readonly slowReads: Database;
  readonly writes: Database;
  /** Null without DATABASE_REPLICA_URLS. */
  readonly replicas: Replicas | null;
  readonly board: { readonly name: string; readonly origin: string };
  readonly ledger: Ledger;
  /** Whether the log takes entries (spec/mesh.md §B4). */
  readonly guard: RollbackGuard;
  readonly clockGuard: ClockStep;
  readonly keys: BoardKeys;
  readonly networkKeys: NetworkKeys;
  readonly readLimiter: ReadLimiter;
  readonly trustedProxies: TrustedProxies;
  readonly events: Events;
  readonly telemetry: { flush(): Promise<void> };
  /** Multiplies waits for the database; 1 on a node. */
  readonly timeoutFactor: number;
  /** Aborted when the board stops; every wait listens. */
  readonly stopping: AbortSignal;
};
