import { type Change, shipped } from './shipped.js';

export type Member = { port: string; restPort: string };

/**
 * `deploy/cluster/haproxy.cfg` before these processes of a board; without
 * members the part of PostgreSQL is left out. The section `global` of Debian's
 * file is not needed here.
 */
export async function shippedProxy(
  port: number,
  boards: readonly number[],
  primary: { port: number; members: readonly Member[] } | null = null,
): Promise<string> {
  const text = await shipped('haproxy.cfg', [
    ['    log     global\n', ''],
    ['bind :80\n', `bind 127.0.0.1:${port}\n`],
    ...boards.map(
      (at, n): Change => [`10.0.0.1${n + 1}:8080`, `127.0.0.1:${at}`],
    ),
    // All clients have one address here, and name a network each.
    ['sc_conn_cur(0) gt 128', 'sc_conn_cur(0) gt 100000'],
    [
      'X-Forwarded-For %[src]',
      'X-Forwarded-For %[src] unless { src 127.0.0.1 }',
    ],
    ...(primary?.members ?? []).map(
      (member, n): Change => [
        `10.0.0.1${n + 1}:5432 check port 8008`,
        `127.0.0.1:${member.port} check port ${member.restPort}`,
      ],
    ),
    ['127.0.0.1:5000', `127.0.0.1:${primary?.port}`],
  ]);
  if (primary !== null) return text;
  return text.replace(/^listen primary\n(?:[ \t]+.*\n)+/m, '');
}
