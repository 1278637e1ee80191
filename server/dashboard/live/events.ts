import { NOTED, type NotedEvents } from '../../db/live-events.js';
import type { CommandReply, CommandRequest } from '../all-commands.js';
import type { Overview } from '../commands/overview.js';

/** spec/operators.md §4 */
type EventPayloads = NotedEvents & {
  /** State at `seq`, for a new or outdated cursor: read everything again. */
  snapshot: { overview: Overview };
};

export type EventKind = keyof EventPayloads;
export const EVENT_KINDS = ['snapshot', ...Object.keys(NOTED)] as EventKind[];

/** `seq` rises by one per event, for all dashboards. */
export type LiveEvent<K extends EventKind = EventKind> = {
  seq: number;
  /** When it was numbered, in ms. */
  at: number;
} & EventPayloads[K];

export type ReceivedEvent = {
  [K in EventKind]: LiveEvent<K> & { kind: K };
}[EventKind];

/** What it changed, as {@link NOTED} says it. */
export function aboutOf(event: ReceivedEvent): readonly string[] {
  if (event.kind === 'snapshot') return [];
  const about: ((event: never) => readonly string[]) | undefined =
    NOTED[event.kind].about;
  return about?.(event as never) ?? [];
}

export type ServerToClient = {
  [K in EventKind]: (event: LiveEvent<K>) => void;
};
export type ClientToServer = {
  command: (request: CommandRequest, reply: (it: CommandReply) => void) => void;
};

export const NAMESPACE = '/admin';
export const SOCKET_PATH = '/admin/socket.io';
