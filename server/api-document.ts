import type { Context } from './context.js';
import { discoveryContract } from './discovery/contract.js';
import {
  type MachineDescription,
  machineDescription,
} from './discovery/machine-description.js';
import { feedsContract } from './feeds/contract.js';
import { healthContract } from './health/contract.js';
import { keysContract } from './keys/contract.js';
import { mcpContract } from './mcp/contract.js';
import { moderationContract } from './moderation/contract.js';
import { openApiDocument } from './openapi/document.js';
import type { Contract } from './openapi/operation.js';
import { pollsContract } from './polls/contract.js';
import { proofsContract } from './proofs/contract.js';
import { readEndpoints, readSchemas } from './read/index.js';
import { reportsContract } from './reports/contract.js';
import { selectionsContract } from './selections/contract.js';
import { usefulnessContract } from './usefulness/contract.js';
import { votesContract } from './votes/contract.js';
import { writeContract } from './write/contract.js';

/**
 * The machine description of this board: what every slice says of itself, and
 * what `more` adds from outside `server/`. It changes with nothing but the
 * release and the configuration.
 */
export function apiDocument(
  { config, limits }: Pick<Context, 'config' | 'limits'>,
  more: readonly Contract[],
): MachineDescription {
  const { baseUrl } = config;
  const setting = { limits, baseUrl };
  const about = {
    title: config.boardTitle,
    baseUrl,
    contact: config.boardContact,
  };
  const contracts = [
    {
      schemas: readSchemas,
      operations: readEndpoints.map((one) => one.operation(setting)),
    },
    writeContract(setting),
    votesContract(setting),
    pollsContract(setting),
    keysContract(),
    proofsContract(),
    moderationContract(setting),
    reportsContract(setting),
    selectionsContract(setting),
    usefulnessContract(setting),
    ...more,
    feedsContract(setting),
    mcpContract(),
    discoveryContract(setting),
    healthContract(),
  ];
  return machineDescription(baseUrl, openApiDocument(about, contracts));
}
