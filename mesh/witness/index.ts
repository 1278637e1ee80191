import type { Endpoint } from '../../server/http/endpoint.js';
import {
  evidence,
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

/** What boards send each other about heads (spec/mesh.md §B7, §B8). */
export const witnessEndpoints: readonly Endpoint[] = [
  hintMesh,
  cosignMesh,
  listEvidence,
  readEvidence,
];

/** Their bodies and answers, by the names of the machine description. */
export const witnessSchemas = {
  CosignRequest: cosignRequest,
  HintRequest: hintRequest,
  HintNoted: hintAnswer,
  EvidenceList: evidenceList,
  Evidence: evidence,
};
