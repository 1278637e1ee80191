import {
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';
import {
  aboutOf,
  type EventKind,
  type ReceivedEvent,
} from '../../server/dashboard/live/events.js';
import { isOwn } from '../api/own-changes.js';
import { type LiveState, live } from './live-socket.js';

export function useLiveState(): LiveState {
  return useSyncExternalStore(live.changes.add, live.state);
}

export function useEvents(onEvent: (event: ReceivedEvent) => void): void {
  const tell = useEffectEvent(onEvent);
  useEffect(() => live.events.add((event) => tell(event)), []);
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
): { count: number; show: () => void; clear: () => void } {
  const [news, setNews] = useState({ count: 0, readAt });
  useEvents((event) => {
    const isNew =
      event.kind === 'snapshot'
        ? live.isGap()
        : kinds.includes(event.kind) &&
          !aboutOf(event).some(isOwn) &&
          counts(event);
    if (!isNew) return;
    setNews((before) => ({
      count: before.readAt === readAt ? before.count + 1 : 1,
      readAt,
    }));
  });
  const clear = () => setNews({ count: 0, readAt });
  const show = () => {
    clear();
    renew();
  };
  return { count: news.readAt === readAt ? news.count : 0, show, clear };
}
