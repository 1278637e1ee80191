import type { Endpoint } from '../http/endpoint.js';
import {
  type McpContext,
  mcpAnswer,
  mcpAnswers,
  mcpBody,
  mcpMessage,
  mcpRefused,
  speakMcp,
} from './endpoint.js';

export { mcpLibrary, mcpRefusal } from './endpoint.js';

export const mcpEndpoints: readonly Endpoint<McpContext>[] = [speakMcp];

export const mcpSchemas = {
  McpMessage: mcpMessage,
  McpBody: mcpBody,
  McpAnswer: mcpAnswer,
  McpRefusal: mcpRefused,
  McpAnswers: mcpAnswers,
};
