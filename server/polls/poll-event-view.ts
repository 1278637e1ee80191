import type { PollEventData } from '../ballots/poll-events.js';
import { publicTime } from '../clock.js';

type Stored = {
  [Kind in keyof PollEventData]: { kind: Kind; data: PollEventData[Kind] };
}[keyof PollEventData];

export type EventRow = Stored & {
  id: number;
  poll_id: number;
  root_id: number;
  created_at: number;
  /** Null once the topic is removed. */
  options: string[] | null;
};

/** A poll event of decisions 6.4; options are named by their texts. */
export type PollEventView = {
  id: number;
  poll_id: number;
  root_id: number;
  kind: EventRow['kind'];
  created_at: string;
  data: Record<string, unknown>;
};

export function pollEventView(row: EventRow): PollEventView {
  return {
    id: row.id,
    poll_id: row.poll_id,
    root_id: row.root_id,
    kind: row.kind,
    created_at: publicTime(row.created_at),
    data: dataOf(row),
  };
}

function dataOf(row: EventRow): Record<string, unknown> {
  const text = (place: number | null) =>
    place === null ? null : (row.options?.[place] ?? null);
  switch (row.kind) {
    case 'opened':
      return { closes_at: publicTime(row.data.closes_at) };
    case 'vote_accepted': {
      const { option, counts, voters } = row.data;
      return { option: text(option), counts, voters };
    }
    case 'lifetime_extended':
      return { from: publicTime(row.data.from), to: publicTime(row.data.to) };
    case 'closed': {
      const { result, winner, counts } = row.data;
      return { result, winner: text(winner), counts };
    }
    case 'decision_recorded':
    case 'voided':
      return row.data;
  }
}
