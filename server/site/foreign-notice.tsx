import type { MirrorSummary } from '../../mesh/mesh-ports.js';
import { boardPath } from './mesh-paths.js';

const OUTSIDE = 'noopener noreferrer';

/** Says on every page of a mirror whose messages these are. */
export function ForeignNotice({
  board,
  original,
}: {
  board: Pick<MirrorSummary, 'name' | 'baseUrl'>;
  /** The same on its own board. */
  original: string;
}) {
  return (
    <p class="notice foreign">
      <strong>From another board.</strong> These messages belong to{' '}
      <a href={boardPath(board.name)}>{board.name}</a>; this board only mirrors
      them. Numbers and names are that board's.{' '}
      <a href={original} rel={OUTSIDE}>
        Read the original
      </a>
    </p>
  );
}
