import { useSyncExternalStore } from 'react';

const BEAT_MS = 30_000;

let now = Date.now();
let beat: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** One timer for however many moments are shown; none for none. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  beat ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, BEAT_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(beat);
    beat = undefined;
  };
}

/** The present in ms; its users are drawn again twice a minute. */
export function useNow(): number {
  useSyncExternalStore(subscribe, () => now);
  return Date.now();
}
