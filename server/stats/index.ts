import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { readerEventRequest, recordReaderEvent } from './reader-event.js';
import { readUsefulness } from './usefulness.js';

/** `/api/usefulness` and reader events (spec/board.md §2.18 and §7). */
export const usefulnessEndpoints: readonly Endpoint[] = [
  readUsefulness,
  recordReaderEvent,
];

/** Their bodies and answers, by the names of the machine description. */
export const usefulnessSchemas = {
  ...schemas,
  ReaderEvent: readerEventRequest,
};
