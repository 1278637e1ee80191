import { OPERATOR_ROLES, type OperatorRole } from '../db/states.js';

/** Each has all the rights of those before it (spec/operators.md §1.5). */
export const ROLES = OPERATOR_ROLES;
export type Role = OperatorRole;
/** The least role; `anyone` needs no session. */
export type Right = 'anyone' | Role;

export function reaches(role: Role, least: Right): boolean {
  return least === 'anyone' || ROLES.indexOf(role) >= ROLES.indexOf(least);
}
