import type { MirroredItem } from '../../server/http/openapi/mirrored.js';
import type { ViewOptions } from '../../server/reading/message-view.js';
import type { MirroredRow } from './mirror-source.js';
import type { MirroredBoard } from './mirrored-board.js';
import {
  type MirroredView,
  mirroredItem,
  mirroredView,
} from './mirrored-view.js';

/**
 * Rows of many boards with each one's view. A board that was blocked between
 * the two statements takes its rows along.
 */
export function ofBoards<Row extends MirroredRow, Shown>(
  rows: readonly Row[],
  boards: readonly MirroredBoard[],
  options: ViewOptions,
  show: (row: Row, view: MirroredView) => Shown,
): Shown[] {
  const views = new Map(
    boards.flatMap((board) => {
      const view = mirroredView(board, options);
      return board.logs.map(({ originId }) => [originId, view] as const);
    }),
  );
  return rows.flatMap((row) => {
    const view = views.get(row.origin_id);
    return view === undefined ? [] : [show(row, view)];
  });
}

export function itemsOf(
  rows: readonly MirroredRow[],
  boards: readonly MirroredBoard[],
  options: ViewOptions,
): MirroredItem[] {
  return ofBoards(rows, boards, options, mirroredItem);
}
