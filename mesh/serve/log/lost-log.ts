import { BoardError } from '../../../server/errors.js';

/**
 * The answer to reads of the own log while the database holds none that is
 * signed, beside a head file or a seed that was used: 503 `log_guard` until `log
 * restore` (spec/mesh.md §B4, §B13, spec/board.md §16.22).
 */
export function lostLog(): BoardError {
  return new BoardError(
    'log_guard',
    'The log of this board is not here: it was lost and is not restored yet, or was never begun. Ask its peers for their mirrors of it.',
    { retry_after_seconds: 30 },
  );
}
