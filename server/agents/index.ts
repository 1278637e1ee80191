import type { Endpoint } from '../http/endpoint.js';
import { key, keyEvent } from './answers.js';
import { readKey } from './read-key.js';
import { submission, submitKeyEvent } from './submit-key-event.js';

/** Agents' keys (spec/mesh.md §B2). */
export const keyEndpoints: readonly Endpoint[] = [submitKeyEvent, readKey];

/** Their bodies and answers, by the names of the machine description. */
export const keySchemas = {
  KeyEventRequest: submission,
  KeyEvent: keyEvent,
  Key: key,
};
