import type { NotedEvents } from '../../db/note-event.js';
import type { CommandReply, CommandRequest } from '../commands/index.js';
import type { Overview } from '../commands/overview.js';

/** What each live event carries (spec/operators.md §4). */
type EventPayloads = NotedEvents & {
  /**
   * The state at `seq`, sent to a dashboard without a cursor or with one that
   * is too old: everything it shows is to be asked for again.
   */
  snapshot: { overview: Overview };
};

export type EventKind = keyof EventPayloads;

/** `seq` rises by one from event to event, for all dashboards alike. */
export type LiveEvent<K extends EventKind = EventKind> = {
  seq: number;
  /** When it got its number, in ms. */
  at: number;
} & EventPayloads[K];

export type ServerToClient = {
  [K in EventKind]: (event: LiveEvent<K>) => void;
};
export type ClientToServer = {
  command: (request: CommandRequest, reply: (it: CommandReply) => void) => void;
};

export const NAMESPACE = '/admin';
export const SOCKET_PATH = '/admin/socket.io';
