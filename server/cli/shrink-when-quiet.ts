import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

/** Between two checks. V8 needs 8 s of it. */
const LOOK_MS = 10_000;
/** Of its time; jobs of an idle node take less. */
const QUIET_SHARE = 0.05;

type Options = {
  lookMs?: number;
  setFlags?: (flags: string) => void;
};

/**
 * Returns memory after a busy time. V8 waits 100 s after its last collection;
 * its memory saver mode collects within 8 s, but slows down work, so it is on
 * for one idle interval only.
 * @param letGo drops caches
 * @returns a function that stops it
 */
export function shrinkWhenQuiet(
  letGo: () => void,
  { lookMs = LOOK_MS, setFlags = setFlagsFromString }: Options = {},
): () => void {
  let before = performance.eventLoopUtilization();
  let wasQuiet = false;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    const isQuiet = utilization < QUIET_SHARE;
    const isOver = isQuiet && !wasQuiet;
    before = now;
    wasQuiet = isQuiet;
    if (isOver) letGo();
    setFlags(isOver ? '--optimize-for-size' : '--no-optimize-for-size');
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}
