import type { Context } from './context.js';
import { discoverySchemas } from './discovery/index.js';
import {
  type MachineDescription,
  machineDescription,
} from './discovery/machine-description.js';
import { feedEndpoints } from './feeds/index.js';
import { healthEndpoints, healthSchemas } from './health/index.js';
import type { Endpoint } from './http/endpoint.js';
import { keyEndpoints, keySchemas } from './keys/index.js';
import { mcpEndpoints, mcpSchemas } from './mcp/index.js';
import { moderationEndpoints, moderationSchemas } from './moderation/index.js';
import { openApiDocument } from './openapi/document.js';
import type { Contract } from './openapi/operation.js';
import { pollEndpoints, pollSchemas } from './polls/index.js';
import { proofEndpoints, proofSchemas } from './proofs/index.js';
import { readEndpoints, readSchemas } from './read/index.js';
import { reportEndpoints, reportSchemas } from './reports/index.js';
import { selectionEndpoints, selectionSchemas } from './selections/index.js';
import { usefulnessEndpoints, usefulnessSchemas } from './usefulness/index.js';
import { voteEndpoints, voteSchemas } from './votes/index.js';
import { writeEndpoints, writeRefused, writeSchemas } from './write/index.js';

/**
 * The machine description of this board: what every endpoint says of itself,
 * and what `more` adds from outside `server/`. It changes with nothing but the
 * release and the configuration.
 */
export function apiDocument(
  { config, limits }: Pick<Context, 'config' | 'limits'>,
  more: readonly Contract[],
  discovery: readonly Endpoint[],
): MachineDescription {
  const { baseUrl } = config;
  const setting = { limits, baseUrl };
  const about = {
    title: config.boardTitle,
    baseUrl,
    contact: config.boardContact,
  };
  const of = (
    endpoints: readonly Endpoint[],
    schemas: Contract['schemas'],
  ): Contract => ({
    schemas,
    operations: endpoints.map((one) => one.operation(setting)),
  });
  const contracts = [
    of(readEndpoints, readSchemas),
    of(writeEndpoints, writeSchemas(setting)),
    { schemas: {}, operations: writeRefused.map((make) => make(setting)) },
    of(voteEndpoints, voteSchemas),
    of(pollEndpoints, pollSchemas),
    of(keyEndpoints, keySchemas),
    of(proofEndpoints, proofSchemas),
    of(moderationEndpoints, moderationSchemas),
    of(reportEndpoints, reportSchemas(setting)),
    of(selectionEndpoints, selectionSchemas),
    of(usefulnessEndpoints, usefulnessSchemas),
    ...more,
    of(feedEndpoints, {}),
    of(mcpEndpoints, mcpSchemas),
    of(discovery, discoverySchemas),
    of(healthEndpoints, healthSchemas),
  ];
  return machineDescription(baseUrl, openApiDocument(about, contracts));
}
