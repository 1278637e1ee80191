import { frontierRoot } from '../../protocol/tree.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Context } from '../../server/context.js';
import type { PeerClient } from './fetch/peer-client.js';
import type { MirrorLog } from './store/mirror-log.js';
import type { PullPeer } from './store/peer-rows.js';
import type { PullStore } from './store/pull-store.js';
import type { JudgeAhead } from './verify/signature-pool.js';
import type { TextRules } from './verify/text-rules.js';

export type PullClient = Pick<PeerClient, 'get'>;

export type PullParts = Pick<Context, 'clock' | 'events' | 'limits' | 'log'> & {
  store: PullStore;
  client: PullClient;
  textRules: TextRules;
  /** Checks signatures ahead of the loop. */
  judgeAhead: JudgeAhead;
  hooks: PullHooks;
  /** 0..1, for back-off. */
  random(): number;
};

/** The origin (`/log…`), which may state a level, or a mirror. */
export type PullSource = {
  baseUrl: string;
  prefix: string;
  level?: number | null | undefined;
};

export type Round = {
  peer: PullPeer;
  source: PullSource;
  /** False: a mirror. */
  fromOrigin: boolean;
  waitMs: number;
  signal: AbortSignal;
};

export type Outcome = 'grown' | 'level' | 'failed';

/** Up to `size`, removals applied. */
export type DurablePage = {
  originId: number;
  origin: string;
  logVkey: string;
  size: number;
  root: Uint8Array;
  /** The origin's signed head of this size. */
  checkpoint: string;
};

/** A valid head of the origin that does not continue our `size` and `root`. */
export type Fork = DurablePage & {
  /** Base URL and path of the log. */
  source: PullSource;
  /** equivocation: same size, other root. root_mismatch: spec/mesh.md §B8. */
  kind: 'equivocation' | 'root_mismatch';
};

/** `last_error.code` (spec/mesh.md §B8.2). */
export type ForkCode = 'equivocation' | 'unresolved_view' | 'feed_corrupt';

/** Outside transactions. MUST NOT throw for a peer's fault. */
export type PullHooks = {
  /** After a signed head is reached: cosign (§B7, step 7). Not awaited. */
  afterPage(page: DurablePage): Promise<void>;
  /** Two histories, fetched twice: judge, quarantine. Awaited. */
  onFork(fork: Fork): Promise<ForkCode>;
  /** From a valid `board` entry. */
  onIdentity(originId: number, note: string): Promise<void>;
};

/** Under the origin's signed head. */
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
