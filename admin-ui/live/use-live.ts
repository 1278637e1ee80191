import {
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';
import type { EventKind } from '../../server/dashboard/schemas/events.js';
import { type LiveState, live, type ReceivedEvent } from './live-socket.js';

export function useLiveState(): LiveState {
  return useSyncExternalStore(live.changes.add, live.state);
}

/** Calls back with each event while the component is there. */
export function useEvents(onEvent: (event: ReceivedEvent) => void): void {
  const tell = useEffectEvent(onEvent);
  useEffect(() => live.events.add((event) => tell(event)), []);
}

/**
 * How many things of these kinds happened since `show` was called last, for a
 * hint beside a list that stays as it is; `show` calls `renew`, which reads the
 * list again. A snapshot after a gap counts as one thing.
 */
export function useHints(
  kinds: readonly EventKind[],
  renew: () => unknown,
  counts: (event: ReceivedEvent) => boolean = () => true,
): { count: number; show: () => void } {
  const [count, setCount] = useState(0);
  useEvents((event) => {
    const isNew =
      event.kind === 'snapshot'
        ? live.isGap()
        : kinds.includes(event.kind) && counts(event);
    if (isNew) setCount((n) => n + 1);
  });
  const show = () => {
    setCount(0);
    renew();
  };
  return { count, show };
}
