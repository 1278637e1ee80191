import type { Endpoint } from '../http/endpoint.js';
import { speakMcp } from './endpoint.js';
import { mcpAnswer, mcpMessage } from './envelope.js';

/** The board as tools. */
export const mcpEndpoints: readonly Endpoint[] = [speakMcp];

export const mcpSchemas = { McpMessage: mcpMessage, McpAnswer: mcpAnswer };
