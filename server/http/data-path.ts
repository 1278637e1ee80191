const DATA =
  /^\/(?:api|write|log[0-9]*|mirror|admin|mcp)(?:\/|$)|^\/\.well-known\/api-catalog$|\/[^/]+\.(?:atom|json)$/i;

/** Errors there are always JSON (spec/board.md §1.5). */
export function isDataPath(path: string): boolean {
  return DATA.test(path);
}
