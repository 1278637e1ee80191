import type { Mirrors, RelayPort } from '../mesh/mesh-ports.js';
import type {
  Hashed,
  MachineDescription,
  RenderedDocuments,
} from './api-docs/document.js';
import type { Clock } from './clock.js';
import type { Config } from './config.js';
import type { Events } from './db/events.js';
import type { Replicas } from './db/replicas/replicas.js';
import type { Database } from './db/sql.js';
import type { Endpoint } from './http/endpoint.js';
import type { ResponseCache } from './http/fast/response-cache.js';
import type { TrustedProxies } from './http/network.js';
import type { Operation } from './http/openapi/operation.js';
import type { ReadLimiter } from './http/rate-limits/read-limiter.js';
import type { NetworkKeys } from './http/rate-limits/write-limits.js';
import type { BoardKeys } from './ledger/board-keys.js';
import type { Ledger } from './ledger/ledger.js';
import type { RollbackGuard } from './ledger/rollback-guard.js';
import type { Limits } from './limits.js';
import type { Logger } from './logger.js';
import type { ClockGuard } from './operations/clock-guard.js';
import type { UpdatesWaits } from './reading/long-poll/updates-waits.js';
import type { StoreTicket } from './tickets/index.js';

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
  readonly clockGuard: ClockGuard;
  readonly keys: BoardKeys;
  readonly networkKeys: NetworkKeys;
  readonly storeTicket: StoreTicket;
  readonly readLimiter: ReadLimiter;
  /** Null with `FAST_PATHS=off`. */
  readonly responseCache: ResponseCache | null;
  readonly trustedProxies: TrustedProxies;
  readonly events: Events;
  readonly mirrors: Mirrors;
  readonly telemetry: { flush(): Promise<void> };
  /** Multiplies waits for the database; 1 on a node. */
  readonly timeoutFactor: number;
  /** scrypt's N. */
  readonly passphraseCost: number;
  /** Refused passphrases answer after a multiple, in ms. */
  readonly refusalMs: number;
  /** Aborted when the board stops; every wait listens. */
  readonly stopping: AbortSignal;
};

/** The context with what is made from it. */
export type AppContext = Context & {
  readonly endpoints: readonly Endpoint[];
  readonly operations: () => readonly Operation[];
  /** Rendered on first use. */
  readonly documents: () => RenderedDocuments;
  readonly description: () => MachineDescription;
  /** Null on a board that was not built. */
  readonly clientFile: () => Hashed | null;
  readonly relay: RelayPort;
  readonly updates: UpdatesWaits;
};
