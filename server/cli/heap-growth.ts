import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Under it V8 collects this early by itself, and earlier on less. */
const LARGE_BYTES = 1024 * 1024 * 1024;
/** By how much of what is in use the heap may grow until it is collected. */
const GROWTH_PERCENT = 75;

/**
 * Where there is much memory V8 lets the heap grow fourfold before it collects:
 * what thousands of answered polls leave behind weighed several times what the
 * board needs. Others on the machine have better use for that.
 */
export function boundHeapGrowth(): void {
  if (getHeapStatistics().heap_size_limit <= LARGE_BYTES) return;
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
