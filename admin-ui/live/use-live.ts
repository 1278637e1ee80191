import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { EventKind } from '../../server/dashboard/schemas/events.js';
import { type LiveState, live, type ReceivedEvent } from './live-socket.js';

export function useLiveState(): LiveState {
  return useSyncExternalStore(live.subscribe, live.state);
}

/** Calls back with each event while the component is there. */
export function useEvents(onEvent: (event: ReceivedEvent) => void): void {
  const newest = useRef(onEvent);
  useEffect(() => {
    newest.current = onEvent;
  });
  useEffect(() => live.listen((event) => newest.current(event)), []);
}

/**
 * How many things of these kinds happened since `clear`: for a hint beside a
 * list that stays as it is. A snapshot after a gap counts as one thing.
 */
export function useHints(
  kinds: readonly EventKind[],
  counts: (event: ReceivedEvent) => boolean = () => true,
): { count: number; clear: () => void } {
  const [count, setCount] = useState(0);
  useEvents((event) => {
    if (event.kind === 'snapshot') {
      if (live.isGap()) setCount((n) => n + 1);
      return;
    }
    if (kinds.includes(event.kind) && counts(event)) setCount((n) => n + 1);
  });
  return { count, clear: () => setCount(0) };
}
