import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** With less, V8 collects this early by itself. */
const LARGE_BYTES = 1024 * 1024 * 1024;
/** Of the used heap, before a collection. */
const GROWTH_PERCENT = 75;

/** By default V8 lets the heap grow fourfold before it collects. */
export function boundHeapGrowth(): void {
  if (getHeapStatistics().heap_size_limit <= LARGE_BYTES) return;
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
