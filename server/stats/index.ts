import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { readStats } from './stats.js';
import {
  readerEventRequest,
  readUsefulness,
  recordReaderEvent,
} from './usefulness.js';

/** spec/board.md §2.17, §2.18, §7 */
export const statsEndpoints: readonly Endpoint[] = [
  readStats,
  readUsefulness,
  recordReaderEvent,
];

export const statsSchemas = { ...schemas, ReaderEvent: readerEventRequest };

export type { Stats } from './answers.js';
export { servedTexts } from './board-counts.sql.js';
export type { NodeGauge } from './metrics.js';
export { boardStats, ownLogSize } from './stats.js';
export { publishedReport } from './usefulness.js';
export {
  contentMetrics,
  type Period,
  usefulnessMetrics,
} from './usefulness-metrics.sql.js';
