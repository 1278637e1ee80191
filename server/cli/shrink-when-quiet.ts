import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

/** Between two looks at how busy the process was. V8 needs 8 s of it. */
const LOOK_MS = 10_000;
/** The share of its time that a quiet node works; its jobs take less. */
const QUIET_SHARE = 0.05;

type Options = {
  lookMs?: number;
  setFlags?: (flags: string) => void;
};

/**
 * Gives memory back when a busy time is over. V8 does so only 100 s after its
 * last collection, because it takes a heap that does not grow at all for one
 * that grows fast. A process that saves memory is collected within 8 s: what
 * browsers do with a page in the background is done here for the first
 * interval without work, and no longer, because it slows down what comes next.
 *
 * @param letGo drops what is kept only to answer faster.
 * @returns a function that ends it.
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
