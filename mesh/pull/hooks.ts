import { frontierRoot } from '../../protocol/frontier.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Logger } from '../../server/logger.js';
import type { MirrorLog } from './mirror-log.js';

/** What a mirror holds durably: everything up to `size`, removals applied. */
export type DurablePage = {
  originId: number;
  origin: string;
  /** The log's vkey as pinned. */
  logVkey: string;
  size: number;
  root: Uint8Array;
  /** The origin's own signed head of exactly this size. */
  checkpoint: string;
};

/** A head validly signed by the origin that does not continue what we hold. */
export type Fork = {
  originId: number;
  origin: string;
  logVkey: string;
  /** Where the head came from: the base URL and the log's path below it. */
  source: PullSource;
  /** equivocation: same size, other root. root_mismatch: spec/mesh.md §B8. */
  kind: 'equivocation' | 'root_mismatch';
  /** Our verified state. */
  size: number;
  root: Uint8Array;
  /** The signed head that was shown. */
  checkpoint: string;
};

/** Where a log is read: its origin (`/log…`), or a mirror of it. */
export type PullSource = { baseUrl: string; prefix: string };

/**
 * What other parts of the mesh do at turns of the pull loop. They run outside
 * its transactions and MUST NOT throw for what a peer did.
 */
export type PullSeams = {
  /**
   * After a commit that reached a signed head (spec/mesh.md §B7, step 7):
   * cosign. Not awaited: the loop goes on.
   */
  afterPage(page: DurablePage): Promise<void>;
  /**
   * Two histories, page fetched twice: judge, keep the evidence, quarantine.
   * Awaited; the worker then backs off, or ends if the peer's row says so.
   */
  onFork(fork: Fork): Promise<void>;
  /** A valid `board` entry brought an identity note of the origin. */
  onIdentity(originId: number, note: string): Promise<void>;
};

/** The seams of a node without the parts that would use them. */
export function noSeams(log: Logger): PullSeams {
  return {
    afterPage: async () => undefined,
    onFork: async ({ origin, kind, size }) => {
      log.error({ origin, kind, size }, 'a peer shows two histories');
    },
    onIdentity: async () => undefined,
  };
}

/** A fork as it is reported, from the state it was found against. */
export function forkOf(
  { originId, origin, logVkey, frontier }: MirrorLog,
  kind: Fork['kind'],
  source: PullSource,
  checkpoint: string,
): Fork {
  const { size } = frontier;
  const root = frontierRoot(frontier);
  const vkey = formatVkey(logVkey);
  return {
    originId,
    origin,
    logVkey: vkey,
    source,
    kind,
    size,
    root,
    checkpoint,
  };
}
