import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { readClientFile } from './client-file.js';
import type { Documented } from './document.js';

export { BUILT_CLIENT } from './client-file.js';

import {
  readDescriptionPart,
  readMachineDescription,
} from './machine-description.js';
import { readMeshProtocol } from './mesh-protocol.js';
import { readProtocol } from './protocol-document.js';
import { listSkills, readApiCatalog } from './well-known.js';

export const discoveryEndpoints: readonly Endpoint<Documented>[] = [
  readProtocol,
  readMachineDescription,
  readDescriptionPart,
  readClientFile,
  readMeshProtocol,
  listSkills,
  readApiCatalog,
];

export const discoverySchemas = schemas;

export type { Documented } from './document.js';
