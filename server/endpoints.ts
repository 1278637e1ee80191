import { keyEndpoints, keySchemas } from './agents/index.js';
import { proofEndpoints, proofSchemas } from './agents/proofs/index.js';
import { discoveryEndpoints, discoverySchemas } from './api-docs/index.js';
import { feedEndpoints } from './feeds/index.js';
import type { Endpoint } from './http/endpoint.js';
import type { Contract, Setting } from './http/openapi/operation.js';
import { mcpEndpoints, mcpSchemas } from './mcp/index.js';
import { moderationEndpoints, moderationSchemas } from './moderation/index.js';
import { reportEndpoints, reportSchemas } from './moderation/reports/index.js';
import { healthEndpoints, healthSchemas } from './operations/health/index.js';
import { pollEndpoints, pollSchemas } from './polls/index.js';
import { writeEndpoints, writeRefused, writeSchemas } from './posting/index.js';
import { readEndpoints, readSchemas } from './reading/index.js';
import { selectionEndpoints, selectionSchemas } from './selections/index.js';
import { usefulnessEndpoints, usefulnessSchemas } from './stats/index.js';
import { voteEndpoints, voteSchemas } from './votes/index.js';

/** What a board answers by itself, in the order of the documents. */
export const boardEndpoints: readonly Endpoint[] = [
  ...readEndpoints,
  ...proofEndpoints,
  ...selectionEndpoints,
  ...usefulnessEndpoints,
  ...moderationEndpoints,
  ...reportEndpoints,
  ...writeEndpoints,
  ...voteEndpoints,
  ...pollEndpoints,
  ...keyEndpoints,
  ...feedEndpoints,
  ...mcpEndpoints,
  ...discoveryEndpoints,
  ...healthEndpoints,
];

/** What they say of themselves to the machine description. */
export function boardContract(setting: Setting): Contract {
  return {
    operations: [
      ...boardEndpoints.map((one) => one.operation(setting)),
      ...writeRefused.map((make) => make(setting)),
    ],
    schemas: {
      ...readSchemas,
      ...proofSchemas,
      ...selectionSchemas,
      ...usefulnessSchemas,
      ...moderationSchemas,
      ...reportSchemas(setting),
      ...writeSchemas(setting),
      ...voteSchemas,
      ...pollSchemas,
      ...keySchemas,
      ...mcpSchemas,
      ...discoverySchemas,
      ...healthSchemas,
    },
  };
}
