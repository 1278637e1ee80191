import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { listSelections, readSelection } from './selections.js';

export const selectionEndpoints: readonly Endpoint[] = [
  listSelections,
  readSelection,
];

export const selectionSchemas = schemas;

export { makeDailySelection } from './daily-selection.js';
export { TOP_OF_PERIOD } from './selections.sql.js';
