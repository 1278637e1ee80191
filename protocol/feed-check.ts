import { equalBytes } from './bytes.js';
import { type OpenedCheckpoint, openCheckpoint } from './checkpoint.js';
import { verifyConsistency } from './consistency.js';
import type { FeedPage } from './feed-json.js';
import { FEED_ENTRIES } from './limits.js';
import {
  appendLeaf,
  type Frontier,
  frontierRoot,
  leafHash,
  type TreeNode,
} from './tree.js';
import { accepted, refused, type Verdict } from './verdict.js';
import type { Vkey } from './vkey.js';

/** In the order of spec/mesh.md §B7. */
export type FeedRefusal =
  | 'bad_checkpoint'
  | 'rolled_back'
  | 'equivocation'
  | 'feed_corrupt'
  | 'root_mismatch';

/** `nodes` to store include leaf hashes (level 0). */
export type VerifiedPage = {
  checkpoint: OpenedCheckpoint;
  frontier: Frontier;
  nodes: TreeNode[];
};

/** Steps 1 and 2. */
function checkHead(
  page: FeedPage,
  frontier: Frontier,
  logVkey: Vkey,
): Verdict<OpenedCheckpoint, FeedRefusal> {
  const opened = openCheckpoint(page.checkpoint, logVkey);
  if (!opened.ok || page.origin !== opened.value.origin) {
    return refused('bad_checkpoint');
  }
  const { size, root } = opened.value;
  if (size < frontier.size) return refused('rolled_back');
  if (size === frontier.size && !equalBytes(root, frontierRoot(frontier))) {
    return refused('equivocation');
  }
  return opened;
}

/** Step 3; a page may be empty only where there is nothing to send. */
function isWhole(page: FeedPage, size: number, headSize: number): boolean {
  const { from, to, entries } = page;
  if (from !== size || to - from !== entries.length || to > headSize) {
    return false;
  }
  if (entries.length > FEED_ENTRIES) return false;
  return entries.length > 0 || headSize === size;
}

/**
 * Before anything is stored (spec/mesh.md §B7, steps 1 to 4). Faulty entries
 * never stop the tree. After `root_mismatch` continue with §B8.
 */
export function verifyFeedPage(
  page: FeedPage,
  frontier: Frontier,
  logVkey: Vkey,
): Verdict<VerifiedPage, FeedRefusal> {
  const head = checkHead(page, frontier, logVkey);
  if (!head.ok) return head;
  const checkpoint = head.value;
  if (!isWhole(page, frontier.size, checkpoint.size)) {
    return refused('feed_corrupt');
  }
  const nodes: TreeNode[] = [];
  let grown = frontier;
  for (const { leaf } of page.entries) {
    const hash = leafHash(leaf);
    nodes.push({ level: 0, index: grown.size, hash });
    const appended = appendLeaf(grown, hash);
    nodes.push(...appended.nodes);
    grown = appended.frontier;
  }
  return isUnder(page, grown, checkpoint)
    ? accepted({ checkpoint, frontier: grown, nodes })
    : refused('root_mismatch');
}

/** Step 4: equal to the checkpoint's tree, or provably its beginning. */
function isUnder(
  page: FeedPage,
  grown: Frontier,
  { size, root }: OpenedCheckpoint,
): boolean {
  const own = frontierRoot(grown);
  if (grown.size === size) return equalBytes(own, root);
  return verifyConsistency(grown.size, size, own, root, page.consistency);
}
