import { equalBytes } from '../../protocol/bytes.js';
import type { FeedPage } from '../../protocol/feed-page.js';
import {
  appendLeaf,
  type Frontier,
  frontierRoot,
  leafHash,
} from '../../protocol/tree.js';
import type { SeenMirror } from './find-mirrors.js';

/**
 * Which of the mirrors' heads within a verified page are of its history, and
 * which of another one under the same key.
 * @param before the end of the log that the page continues
 */
export function headsWithin(
  mirrors: readonly SeenMirror[],
  before: Frontier,
  { entries }: Pick<FeedPage, 'entries'>,
): { same: SeenMirror[]; other: SeenMirror[] } {
  const end = before.size + entries.length;
  const heads = mirrors.filter(({ size }) => size > before.size && size <= end);
  const same: SeenMirror[] = [];
  const other: SeenMirror[] = [];
  if (heads.length === 0) return { same, other };
  let frontier = before;
  for (const { leaf } of entries) {
    frontier = appendLeaf(frontier, leafHash(leaf)).frontier;
    for (const head of heads) {
      if (head.size !== frontier.size) continue;
      const isSame = equalBytes(head.root, frontierRoot(frontier));
      (isSame ? same : other).push(head);
    }
  }
  return { same, other };
}
