import { useEffect, useRef } from 'react';
import { queryClient } from '../api/query-client.js';
import { useAsk } from '../api/use-ask.js';
import { useEvents } from '../live/use-live.js';

const REST_MS = 4000;
const EVERY_MS = 30_000;

/** The figures of now: asked again soon after an event, and now and then. */
export function useOverview() {
  return useAsk('overview.read', {});
}

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: ['overview.read'] });
}

/** Keeps the figures fresh; used once, by what is always there. */
export function useFreshOverview(): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEvents((event) => {
    if (event.kind === 'snapshot') {
      queryClient.setQueryData(['overview.read', {}], event.overview);
      return;
    }
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      refresh();
    }, REST_MS);
  });
  useEffect(() => {
    const beat = setInterval(() => {
      if (document.visibilityState === 'visible') refresh();
    }, EVERY_MS);
    return () => {
      clearInterval(beat);
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, []);
}
