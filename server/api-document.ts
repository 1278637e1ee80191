import {
  type MachineDescription,
  machineDescription,
} from './api-docs/machine-description.js';
import type { Context } from './context.js';
import { boardContract } from './endpoints.js';
import { openApiDocument } from './http/openapi/document.js';
import type { Contract } from './http/openapi/operation.js';

/**
 * The machine description of this board: what every endpoint says of itself,
 * and what `more` adds from outside `server/`. It changes with nothing but the
 * release and the configuration.
 */
export function apiDocument(
  { config, limits }: Pick<Context, 'config' | 'limits'>,
  more: readonly Contract[],
): MachineDescription {
  const { baseUrl } = config;
  const about = {
    title: config.boardTitle,
    baseUrl,
    contact: config.boardContact,
  };
  const contracts = [boardContract({ limits, baseUrl }), ...more];
  return machineDescription(baseUrl, openApiDocument(about, contracts));
}
