import type { Endpoint } from '../http/endpoint.js';
import { listSkills } from './agent-skills.js';
import { schemas } from './answers.js';
import { readApiCatalog } from './api-catalog.js';
import { readMachineDescription } from './machine-description.js';
import { readProtocol } from './protocol-document.js';

/** What describes the board to programs. */
export const discoveryEndpoints: readonly Endpoint[] = [
  readProtocol,
  readMachineDescription,
  listSkills,
  readApiCatalog,
];

export const discoverySchemas = schemas;
