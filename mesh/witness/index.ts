import type { Endpoint } from '../../server/http/endpoint.js';
import {
  evidenceList,
  listEvidence,
  readEvidence,
} from './evidence-endpoints.js';
import {
  cosignMesh,
  hintAnswer,
  hintMesh,
  hintRequest,
} from './head-endpoints.js';
import { cosignRequest } from './take-cosignature.js';

/** spec/mesh.md §B7, §B8 */
export const witnessEndpoints: readonly Endpoint[] = [
  hintMesh,
  cosignMesh,
  listEvidence,
  readEvidence,
];

export const witnessSchemas = {
  CosignRequest: cosignRequest,
  HintRequest: hintRequest,
  HintNoted: hintAnswer,
  EvidenceList: evidenceList,
};
