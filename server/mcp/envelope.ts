import { z } from 'zod';

/** A JSON-RPC request or notification, as far as the edge looks at it. */
export const mcpMessage = z.strictObject({
  jsonrpc: z.literal('2.0').describe('The version of JSON-RPC.'),
  id: z
    .union([z.string(), z.int()])
    .optional()
    .describe('Of a request; a notification has none.'),
  method: z.string().min(1).describe('Such as `tools/call`.'),
  params: z
    .looseObject({})
    .optional()
    .describe('What the method asks for, as MCP describes it.'),
});

export const mcpAnswer = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).nullable().optional(),
    result: z.looseObject({}).optional(),
    error: z
      .looseObject({ code: z.int(), message: z.string() })
      .optional()
      .describe('Of JSON-RPC.'),
  })
  .describe('A JSON-RPC answer of MCP.');
