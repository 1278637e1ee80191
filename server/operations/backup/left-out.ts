/**
 * Tables whose rows a backup does not hold. Day keys would name the networks
 * behind old counters, and counters without their keys mean nothing: after a
 * restore budgets begin anew (spec/operators.md §R7.4). Sessions, links and
 * challenges open something for minutes or days, and one that was ended or used
 * since must not come back to life.
 */
export const LEFT_OUT: readonly string[] = [
  'budget_head',
  'budget_spend',
  'day_key',
  'operator_attempt',
  'operator_challenge',
  'operator_invite',
  'operator_session',
];
