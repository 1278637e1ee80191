/** What pages show of a poll, as the public reads give it. */
export type Poll = {
  id: number;
  root_id: number;
  type: string;
  /** Null once the topic is removed. */
  question: string | null;
  options: string[];
  proposal?: { kind: string; summary: string | null };
  state: 'open' | 'closed';
  close_reason: string | null;
  created_at: string;
  closes_at: string;
  tally: {
    counts: number[];
    voters: number;
    result: string | null;
    winner: string | null;
  };
  decision: {
    outcome: string;
    explanation?: string;
    decided_at: string;
  } | null;
  url: string;
};

/** A poll of an answer; null where there is none. */
export function pollOf(value: unknown): Poll | null {
  if (typeof value !== 'object' || value === null) return null;
  return 'question' in value ? (value as Poll) : null;
}

/** Each option with its votes; without its text it goes by its number. */
export function countsOf({ options, tally }: Poll): [string, number][] {
  return tally.counts.map((votes, n) => [
    options[n] ?? `Option ${n + 1}`,
    votes,
  ]);
}
