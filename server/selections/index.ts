import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { listSelections } from './list-selections.js';
import { readSelection } from './read-selection.js';

/** Historical daily collections, read-only. */
export const selectionEndpoints: readonly Endpoint[] = [
  listSelections,
  readSelection,
];

export const selectionSchemas = schemas;
