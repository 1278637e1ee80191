import type { Endpoint } from '../../server/http/endpoint.js';
import { document, peer } from './answers.js';
import { readMesh } from './mesh-document.js';

/** Who this board is in the mesh, and whom it mirrors (spec/mesh.md §B6). */
export const peersEndpoints: readonly Endpoint[] = [readMesh];

/** Its answers, by the names of the machine description. */
export const peersSchemas = { MeshDocument: document, MeshPeer: peer };
