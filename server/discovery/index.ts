import type { Endpoint } from '../http/endpoint.js';
import { listSkills } from './agent-skills.js';
import { schemas } from './answers.js';
import { readApiCatalog } from './api-catalog.js';
import {
  type MachineDescription,
  readMachineDescription,
} from './machine-description.js';
import { readProtocol } from './protocol-document.js';
import type { RenderedDocuments } from './render.js';

/** What describes the board to programs. */
export function discoveryEndpoints(
  documents: () => RenderedDocuments,
  machine: () => MachineDescription,
): readonly Endpoint[] {
  return [
    readProtocol(documents, machine),
    readMachineDescription(machine),
    listSkills(documents),
    readApiCatalog,
  ];
}

export const discoverySchemas = schemas;
