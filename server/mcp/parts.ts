/**
 * What speaks MCP. It is much to load and nothing a start needs, so it comes
 * in a moment after it (`Board.start`), or with the first who asks earlier.
 */
export async function mcpParts() {
  const [{ createMcpHandler }, { boardServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../client/mcp/board-server.js'),
  ]);
  return { createMcpHandler, boardServer };
}
