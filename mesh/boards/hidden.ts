import { BoardError } from '../../server/errors.js';

/** What an operator of this node hid is read at its origin or not at all. */
export function hiddenHere(): BoardError {
  return new BoardError(
    'hidden_by_operator',
    'An operator of this node hid this message; it may still be readable on its own board.',
  );
}
