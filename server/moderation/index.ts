import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { listDecisions } from './list-decisions.js';
import { readDecisions } from './read-decisions.js';

/** What operators decided, in public. */
export const moderationEndpoints: readonly Endpoint[] = [
  listDecisions,
  readDecisions,
];

export const moderationSchemas = schemas;
