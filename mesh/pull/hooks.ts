import { frontierRoot } from '../../protocol/tree.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Context } from '../../server/context.js';
import type { PeerClient } from './fetch/peer-client.js';
import type { MirrorLog } from './store/mirror-log.js';
import type { PullPeer } from './store/peer-rows.js';
import type { PullStore } from './store/pull-store.js';
import type { JudgeAhead } from './verify/signature-pool.js';
import type { TextRules } from './verify/text-rules.js';

/** How pages come: the way out of a node, or a simulated link. */
export type PullClient = Pick<PeerClient, 'get'>;

/** What every worker needs of its node. */
export type PullParts = Pick<Context, 'clock' | 'events' | 'limits' | 'log'> & {
  store: PullStore;
  client: PullClient;
  textRules: TextRules;
  /** Judges signatures of coming pages beside the loop. */
  judgeAhead: JudgeAhead;
  hooks: PullHooks;
  /** 0..1, for back-off. */
  random(): number;
};

/**
 * Where a log is read: its origin (`/log…`), which may state a level, or a
 * mirror of it.
 */
export type PullSource = {
  baseUrl: string;
  prefix: string;
  level?: number | null | undefined;
};

/** Where a round asks, and for how many ms it may wait there. */
export type Round = {
  peer: PullPeer;
  source: PullSource;
  /** Else a mirror of the log is asked. */
  fromOrigin: boolean;
  waitMs: number;
  /** Ends the request early, as one that was not answered in time. */
  signal: AbortSignal;
};

export type Outcome = 'grown' | 'level' | 'failed';

/** What a mirror has durably: everything up to `size`, removals applied. */
export type DurablePage = {
  originId: number;
  origin: string;
  logVkey: string;
  size: number;
  root: Uint8Array;
  /** The origin's own signed head of exactly this size. */
  checkpoint: string;
};

/**
 * A head validly signed by the origin, `checkpoint`, that does not continue
 * what we have: `size` and `root`.
 */
export type Fork = DurablePage & {
  /** Where the head came from: the base URL and the path of the log there. */
  source: PullSource;
  /** equivocation: same size, other root. root_mismatch: spec/mesh.md §B8. */
  kind: 'equivocation' | 'root_mismatch';
};

/** What a fork is taken for: `last_error.code` (spec/mesh.md §B8.2). */
export type ForkCode = 'equivocation' | 'unresolved_view' | 'feed_corrupt';

/**
 * What other parts of the mesh do at points of the pull loop. They run outside
 * its transactions and MUST NOT throw for what a peer did.
 */
export type PullHooks = {
  /**
   * After a commit that reached a signed head (spec/mesh.md §B7, step 7):
   * cosign. Not awaited: the loop goes on.
   */
  afterPage(page: DurablePage): Promise<void>;
  /**
   * Two histories, page fetched twice: judge, keep the evidence, quarantine.
   * Awaited; the worker then backs off, or ends if the peer's row says so.
   */
  onFork(fork: Fork): Promise<ForkCode>;
  /** A valid `board` entry brought an identity note of the origin. */
  onIdentity(originId: number, note: string): Promise<void>;
};

/** What is durable of a log, under the head that its origin signed. */
export function durableOf(
  { originId, origin, logVkey, frontier }: MirrorLog,
  checkpoint: string,
): DurablePage {
  return {
    originId,
    origin,
    logVkey: formatVkey(logVkey),
    size: frontier.size,
    root: frontierRoot(frontier),
    checkpoint,
  };
}
