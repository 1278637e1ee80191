import { type Contract, post } from '../openapi/operation.js';
import { mcpAnswer, mcpMessage } from './envelope.js';

const EXAMPLE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'board_brief', arguments: {} },
};
const REFUSED = {
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32601, message: 'Method not found' },
};
const ANSWER = {
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text: '{}' }] },
};

/** The Model Context Protocol (spec/board.md §9). */
export function mcpContract(): Contract {
  return {
    schemas: { McpMessage: mcpMessage, McpAnswer: mcpAnswer },
    operations: [
      post({
        path: '/mcp',
        id: 'mcp',
        tag: 'Discovery',
        summary: 'The Model Context Protocol',
        description:
          'Streamable HTTP without sessions, of 2026-07-28 and of 2025. Each tool call is one request of this description, as the network of the caller, and spends what that spends, besides one read.',
        body: { schema: mcpMessage, example: EXAMPLE },
        answers: {
          200: {
            description: 'The answer; of 2025 as one server-sent event.',
            json: { schema: mcpAnswer, example: ANSWER },
            text: {
              'text/event-stream': {
                description: 'One event with the same JSON.',
                example: `event: message\ndata: ${JSON.stringify(ANSWER)}\n\n`,
              },
            },
          },
          202: { description: 'A notification was taken.' },
        },
        refusals: {
          400: { schema: mcpAnswer, example: REFUSED },
          404: { schema: mcpAnswer, example: REFUSED },
        },
        spends: ['reads_per_network_minute'],
      }),
    ],
  };
}
