import { isDeepStrictEqual } from 'node:util';
import { BoardError, invalid } from '../errors.js';

/**
 * For what may have changed since it was shown; undefined: not said.
 * @throws BoardError `decision_conflict` with `current`
 */
export function assertSeen<T>(
  seen: T | undefined,
  present: T,
  what: string,
  current: unknown = present,
): void {
  // Bodies are parsed into objects without a prototype.
  const same = isDeepStrictEqual(structuredClone(seen), present);
  if (seen === undefined || same) return;
  const detail = `This ${what} has changed meanwhile; look at it again.`;
  throw new BoardError('decision_conflict', detail, { current });
}

export function noSuchOperator(): BoardError {
  return new BoardError('not_found', 'There is no such operator.');
}

export function aliasTaken(): BoardError {
  return invalid('alias', 'Another operator has this alias; choose another.');
}

/** Only the command line could undo it. */
export function noAdminLeft(): BoardError {
  return new BoardError(
    'forbidden',
    'No admin would be left; make another operator an admin first.',
  );
}

/** Lost since the session was read. */
export function notAdmin(): BoardError {
  return new BoardError(
    'forbidden',
    'You are no admin of this board any more.',
  );
}
