/**
 * The seam for polls: an SQL expression that gives the poll of the root `r` as
 * one JSON value, or null when the topic has none. It is part of the single
 * statement of a thread read.
 */
export function pollOfRoot(_r: string): string {
  return 'NULL::json';
}

/** The poll as a thread read shows it. */
export type ThreadPoll = { id: number; state: 'open' | 'closed' };
