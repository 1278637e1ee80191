import { serveBoard } from '../mcp/serve.js';
import { type AskingOptions, boardOf } from './asking.js';

/** `reserve-board mcp --board <url>`: standard output speaks MCP alone. */
export async function mcp(
  version: string,
  options: AskingOptions,
): Promise<void> {
  const { agentName = 'reserve-board' } = options;
  await serveBoard({ board: boardOf(options), agentName, version });
}
