import {
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';
import type { EventKind } from '../../server/dashboard/live/events.js';
import { isOwn } from '../api/own-changes.js';
import { type LiveState, live, type ReceivedEvent } from './live-socket.js';

export function useLiveState(): LiveState {
  return useSyncExternalStore(live.changes.add, live.state);
}

export function useEvents(onEvent: (event: ReceivedEvent) => void): void {
  const tell = useEffectEvent(onEvent);
  useEffect(() => live.events.add((event) => tell(event)), []);
}

function keysOf(event: ReceivedEvent): string[] {
  switch (event.kind) {
    case 'peer':
      return [`peer:${event.name}`];
    case 'poll':
      return [`poll:${event.poll_id}`];
    case 'hidden':
      return [`message:${event.message_id}`];
    case 'decision':
      return [`message:${event.message_id}`, `poll:${event.poll_id}`];
    default:
      return [];
  }
}

type HintOptions = {
  counts?: (event: ReceivedEvent) => boolean;
  /** Earlier events are in the list already. */
  readAt?: number;
};

/**
 * Counts events since the list was read, for a hint beside it; `show` reads the
 * list again. Own changes do not count; a snapshot after a gap counts once.
 */
export function useHints(
  kinds: readonly EventKind[],
  renew: () => unknown,
  { counts = () => true, readAt = 0 }: HintOptions = {},
): { count: number; show: () => void } {
  const [news, setNews] = useState({ count: 0, readAt });
  useEvents((event) => {
    const isNew =
      event.kind === 'snapshot'
        ? live.isGap()
        : kinds.includes(event.kind) &&
          !keysOf(event).some(isOwn) &&
          counts(event);
    if (!isNew) return;
    setNews((before) => ({
      count: before.readAt === readAt ? before.count + 1 : 1,
      readAt,
    }));
  });
  const show = () => {
    setNews({ count: 0, readAt });
    renew();
  };
  return { count: news.readAt === readAt ? news.count : 0, show };
}
