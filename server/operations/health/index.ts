import type { Endpoint } from '../../http/endpoint.js';
import { alive, isAlive } from './is-alive.js';
import { isReady, readiness } from './is-ready.js';

/** Health, outside every limit. */
export const healthEndpoints: readonly Endpoint[] = [isAlive, isReady];

export const healthSchemas = { Alive: alive, Readiness: readiness };
