import type { Clock } from '../../server/clock.js';
import type { Database } from '../../server/db/sql.js';
import type { BoardKeys } from '../../server/ledger/board-keys.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import type { PullSource } from '../pull/hooks.js';

/** What a restore needs: no running board, only its keys and a database. */
export type RestoreParts = {
  db: Database;
  client: PeerClient;
  clock: Clock;
  keys: Pick<BoardKeys, 'log' | 'server'>;
  baseUrl: string;
  /** Where the head file stands. */
  dataDir: string;
  hiddenScore: number;
  signal: AbortSignal;
};

/** A mirror of our own log, and the head it shows under our signature. */
export type OwnMirror = { source: PullSource; size: number; root: Uint8Array };

export type RestoreReport = {
  /** Entries pulled now, and the size of the log afterwards. */
  pulled: number;
  size: number;
  messages: number;
  requests: number;
  /** Messages whose text no mirror kept; each got a `remove` entry. */
  lost: number[];
  from: string[];
};
