/**
 * The stable name of a thing of this board: a tag URI (RFC 4151) under the
 * board's fixed name, so that it outlives a change of address. A port, which
 * an authority cannot hold, moves behind the date.
 */
export function tagUri(board: string, thing: string): string {
  const [host = '', port] = board.split(':');
  const rest = port === undefined ? thing : `${port}:${thing}`;
  return `tag:${host},2026:${rest}`;
}
