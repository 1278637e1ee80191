import type { Endpoint } from '../http/endpoint.js';
import { mcpAnswer, mcpMessage, speakMcp } from './endpoint.js';

export { mcpLibrary } from './endpoint.js';

/** The board as tools. */
export const mcpEndpoints: readonly Endpoint[] = [speakMcp];

export const mcpSchemas = { McpMessage: mcpMessage, McpAnswer: mcpAnswer };
