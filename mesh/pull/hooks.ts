import { frontierRoot } from '../../protocol/tree.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Context } from '../../server/context.js';
import type { PeerClient } from './fetch/peer-client.js';
import type { MirrorLog } from './store/mirror-log.js';
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

/** Where a log is read: its origin (`/log…`), or a mirror of it. */
export type PullSource = { baseUrl: string; prefix: string };

/** Where a round asks, and for how many ms it may wait there. */
export type Round = {
  source: PullSource;
  /** Else a mirror of the log is asked. */
  fromOrigin: boolean;
  waitMs: number;
  /** Ends the request early, as one that was not answered in time. */
  signal: AbortSignal;
};

export type Outcome = 'grown' | 'level' | 'failed';

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

/**
 * A head validly signed by the origin, `checkpoint`, that does not continue
 * what we hold: `size` and `root`.
 */
export type Fork = DurablePage & {
  /** Where the head came from: the base URL and the path of the log there. */
  source: PullSource;
  /** equivocation: same size, other root. root_mismatch: spec/mesh.md §B8. */
  kind: 'equivocation' | 'root_mismatch';
};

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
  onFork(fork: Fork): Promise<void>;
  /** A valid `board` entry brought an identity note of the origin. */
  onIdentity(originId: number, note: string): Promise<void>;
};

/** A fork as it is reported, from the state it was found against. */
export function forkOf(
  { originId, origin, logVkey, frontier }: MirrorLog,
  kind: Fork['kind'],
  source: PullSource,
  checkpoint: string,
): Fork {
  return {
    originId,
    origin,
    logVkey: formatVkey(logVkey),
    source,
    kind,
    size: frontier.size,
    root: frontierRoot(frontier),
    checkpoint,
  };
}
