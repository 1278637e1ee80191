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

/** What every handler gets: explicit, made once by `Board.create`. */
export type Context = {
  readonly config: Config;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Logger;
  /** Statements of reads; single ones may be answered by a replica. */
  readonly reads: Database;
  /** On connections of their own to the primary, for what can take over 100 ms. */
  readonly slowReads: Database;
  /** Statements and transactions of writes. */
  readonly writes: Database;
  /** Null without DATABASE_REPLICA_URLS. */
  readonly replicas: Replicas | null;
  readonly board: { readonly name: string; readonly origin: string };
  readonly ledger: Ledger;
  /** Says whether the log may be written to (spec/mesh.md §B4). */
  readonly guard: RollbackGuard;
  readonly clockGuard: ClockGuard;
  readonly keys: BoardKeys;
  readonly networkKeys: NetworkKeys;
  /** Stores the tickets of all previews; those of one moment together. */
  readonly storeTicket: StoreTicket;
  readonly readLimiter: ReadLimiter;
  /** Finished answers of public reads; null with `FAST_PATHS=off`. */
  readonly responseCache: ResponseCache | null;
  readonly trustedProxies: TrustedProxies;
  readonly events: Events;
  /** Other boards' messages, for pages (spec/mesh.md §B9). */
  readonly mirrors: Mirrors;
  /** Writes what telemetry has counted so far; reads of it ask first. */
  readonly telemetry: { flush(): Promise<void> };
  /** Factor by which waits for the database may last longer; 1 on a node. */
  readonly timeoutFactor: number;
  /** N of scrypt for operators' passphrases. */
  readonly passphraseCost: number;
  /** A refused passphrase is answered after a multiple of it; 1000 on a node. */
  readonly refusalMs: number;
  /** Aborted when the board stops: every wait ends with it. */
  readonly stopping: AbortSignal;
};

/** What endpoints are given: the board's context, and what is made with it. */
export type AppContext = Context & {
  /** Everything that is answered, what the mesh adds included. */
  readonly endpoints: readonly Endpoint[];
  /** What the machine description says of all paths, the logs' included. */
  readonly operations: () => readonly Operation[];
  /** The documents, rendered when they are first asked for. */
  readonly documents: () => RenderedDocuments;
  /** The machine description, made when it is first asked for. */
  readonly description: () => MachineDescription;
  /** The client as one file; null on a board that was not built. */
  readonly clientFile: () => Hashed | null;
  /** Posting to other boards through this node. */
  readonly relay: RelayPort;
  /** The waits for updates, also those begun before Express is entered. */
  readonly updates: UpdatesWaits;
};
