import { BoardError } from '../errors.js';

/** A field of an input that its schema allows and the work does not. */
export function invalid(field: string, detail: string): BoardError {
  return new BoardError('invalid_input', detail, { field });
}

export function noSuchOperator(): BoardError {
  return new BoardError('not_found', 'There is no such operator.');
}

export function aliasTaken(): BoardError {
  return invalid('alias', 'Another operator has this alias; choose another.');
}

/** Nobody could undo it but from the machine itself. */
export function noAdminLeft(): BoardError {
  return new BoardError(
    'forbidden',
    'No admin would be left; make another operator an admin first.',
  );
}

/** The right was lost between the look at the session and the work. */
export function notAdmin(): BoardError {
  return new BoardError(
    'forbidden',
    'You are no admin of this board any more.',
  );
}
