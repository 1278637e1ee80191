import { BoardError } from '../../server/errors.js';

/**
 * What a node answers to whoever reads its own log while its database is empty
 * beside a head file: 503 `log_guard` until `log restore` (mesh.md B4, B13).
 */
export function lostLog(): BoardError {
  return new BoardError(
    'log_guard',
    'This board has lost its log and its operator has not restored it yet; ask its peers for their mirrors of it.',
    { retry_after_seconds: 30 },
  );
}
