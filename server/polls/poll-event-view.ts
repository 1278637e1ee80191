import type { PollEventData } from './poll-events.js';
import { publicTime } from '../clock.js';
import type { PollEventView } from './answers.js';

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

/** The kind of an event and its data, which go together. */
type Happened = PollEventView extends infer View
  ? View extends PollEventView
    ? Pick<View, 'kind' | 'data'>
    : never
  : never;

/** A poll event of spec/board.md §6.4; options are named by their texts. */
export function pollEventView(row: EventRow): PollEventView {
  return {
    id: row.id,
    poll_id: row.poll_id,
    root_id: row.root_id,
    created_at: publicTime(row.created_at),
    ...happened(row),
  };
}

function happened(row: EventRow): Happened {
  const text = (place: number | null) =>
    place === null ? null : (row.options?.[place] ?? null);
  const { kind } = row;
  switch (kind) {
    case 'opened':
      return { kind, data: { closes_at: publicTime(row.data.closes_at) } };
    case 'vote_accepted': {
      const { option, counts, voters } = row.data;
      return { kind, data: { option: text(option), counts, voters } };
    }
    case 'lifetime_extended': {
      const { from, to } = row.data;
      return { kind, data: { from: publicTime(from), to: publicTime(to) } };
    }
    case 'closed': {
      const { result, winner, counts } = row.data;
      return { kind, data: { result, winner: text(winner), counts } };
    }
    case 'decision_recorded':
      return { kind, data: row.data };
    case 'voided':
      return { kind, data: row.data };
  }
}
