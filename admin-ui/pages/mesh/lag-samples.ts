import { useSyncExternalStore } from 'react';
import type { Overview } from '../../../server/admin/events/views.js';

const KEEP = 720;

type Sample = { at: number; lags: Readonly<Record<string, number>> };

let samples: readonly Sample[] = [];
const listeners = new Set<() => void>();

/** Notes how far behind each copy is, whenever new figures have come. */
export function noteLags({ at, peers }: Overview): void {
  if (peers.length === 0 || at <= (samples.at(-1)?.at ?? 0)) return;
  const lags = Object.fromEntries(
    peers.map(({ name, lag_ms }) => [name, lag_ms / 1000]),
  );
  samples = [...samples, { at, lags }].slice(-KEEP);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What was noted since the dashboard was opened, oldest first. */
export function useLagSamples(): readonly Sample[] {
  return useSyncExternalStore(subscribe, () => samples);
}
