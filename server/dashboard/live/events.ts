import type { NotedEvents } from '../../db/note-event.js';
import type { CommandReply, CommandRequest } from '../all-commands.js';
import type { Overview } from '../commands/overview.js';

/** spec/operators.md §4 */
type EventPayloads = NotedEvents & {
  /** State at `seq`, for a new or outdated cursor: read everything again. */
  snapshot: { overview: Overview };
};

export type EventKind = keyof EventPayloads;

/** `seq` rises by one per event, for all dashboards. */
export type LiveEvent<K extends EventKind = EventKind> = {
  seq: number;
  /** When it was numbered, in ms. */
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
