import type { Documented } from '../../server/api-docs/index.js';
import type { Endpoint } from '../../server/http/endpoint.js';
import { meshPeer } from './answers.js';
import { meshDocument, readMesh } from './mesh-document.js';
import { listPeers, peerPage } from './peer-list.js';

export const peersEndpoints: readonly Endpoint<Documented>[] = [
  readMesh,
  listPeers,
];

export const peersSchemas = {
  MeshDocument: meshDocument,
  MeshPeer: meshPeer,
  MeshPeers: peerPage,
};
