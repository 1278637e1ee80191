import type { Endpoint } from '../../server/http/endpoint.js';
import { evidence, evidenceList } from './answers.js';
import { cosignRequest } from './cosign-request.js';
import { listEvidence } from './list-evidence.js';
import { cosignMesh } from './post-cosign.js';
import { hintAnswer, hintMesh, hintRequest } from './post-hint.js';
import { readEvidence } from './read-evidence.js';

/** What boards tell each other about heads (spec/mesh.md §B7, §B8). */
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
