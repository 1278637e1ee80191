import type { Endpoint } from '../../server/http/endpoint.js';
import { meshDocument, readMesh } from './mesh-document.js';
import { listPeers, peerPage } from './peer-list.js';
import { meshPeer } from './peer-view.js';

/** What this board is in the mesh, and its peers (spec/mesh.md §B6). */
export const peersEndpoints: readonly Endpoint[] = [readMesh, listPeers];

/** Its answers, by the names of the machine description. */
export const peersSchemas = {
  MeshDocument: meshDocument,
  MeshPeer: meshPeer,
  MeshPeers: peerPage,
};
