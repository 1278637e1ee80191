/**
 * Reads of the mesh that are 400, with the field that is wrong (spec/mesh.md
 * §B4, §B9).
 */
export function refusedFields(
  name: string,
  mirror: string,
): [path: string, field: string, error?: 'invalid_unicode'][] {
  const board = `/api/mesh/boards/${name}`;
  return [
    ...['/log', mirror].flatMap((log): [string, string][] => [
      [`${log}/feed`, 'from'],
      [`${log}/feed?from=-1`, 'from'],
      [`${log}/feed?from=01`, 'from'],
      [`${log}/feed?from=1e0`, 'from'],
      [`${log}/feed?from=9007199254740993`, 'from'],
      [`${log}/feed?from=0&from=0`, 'from'],
      [`${log}/feed?from=0&limit=0`, 'limit'],
      [`${log}/feed?from=0&limit=257`, 'limit'],
      [`${log}/feed?from=0&content=ALL`, 'content'],
      [`${log}/feed?from=0&wait=26`, 'wait'],
      [`${log}/consistency?from=0`, 'to'],
      [`${log}/consistency?from=3&to=2`, 'from'],
      [`${log}/consistency?from=1&to=999`, 'to'],
      [`${log}/content`, 'index'],
      [`${log}/content?index=x`, 'index'],
    ]),
    ['/api/mesh/search', 'q'],
    ['/api/mesh/search?q=a', 'q'],
    [`/api/mesh/search?q=${'a'.repeat(101)}`, 'q'],
    ['/api/mesh/search?q=aa&limit=101', 'limit'],
    ['/api/mesh/search?q=aa&before=-1', 'before'],
    ['/api/mesh/search?q=aa&q=bb', 'q'],
    ['/api/mesh/search?q=ab%00', 'q', 'invalid_unicode'],
    ['/api/mesh/search?q=ab&board=%00', 'board', 'invalid_unicode'],
    ['/api/mesh/updates?since=x', 'since'],
    ['/api/mesh/updates?since=-1', 'since'],
    ['/api/mesh/updates?since=1&since=2', 'since'],
    ['/api/mesh/updates?wait=26', 'wait'],
    ['/api/mesh/updates?limit=0', 'limit'],
    [`${board}/threads?sort=old`, 'sort'],
    [`${board}/threads?visibility=none`, 'visibility'],
    [`${board}/thread/1?last=101`, 'last'],
    [`${board}/thread/1?before=2&last=1`, 'before'],
    [`${board}/thread/1?format=html`, 'format'],
    [`${board}/updates?limit=101`, 'limit'],
    [`${board}/messages/1?preview=4001`, 'preview'],
    [`${board}/messages/1/proof?format=text`, 'format'],
  ];
}
