import { atMost, figure, type Row, rounded } from '../row.js';
import type { Lab } from '../set-up/lab.js';

const BODIES = 3.5;
const MORE_BYTES = 1600;

export const diskRow: Row = {
  id: 'D1',
  section: 'node',
  work: 'disk per message of the large data set, everything included',
  reference: 'its body',
  marks: `≤ ${BODIES} × body + ${MORE_BYTES} B; dropping a peer is one drop`,
  sameWithoutFastPaths: 'bytes on disk',
  run,
};

const SIZES = `SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'm')
  ORDER BY bytes DESC`;

/** Tables of the messages of peers, without a partition for each peer. */
const MIXED = `SELECT DISTINCT c.relname AS name
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'origin_id'
  JOIN pg_attribute b ON b.attrelid = c.oid
    AND b.attname IN ('id', 'message_id')
  WHERE n.nspname = 'public' AND c.relkind = 'r' AND NOT c.relispartition
  ORDER BY name`;

async function run(lab: Lab) {
  const { database, size } = await lab.large();
  const sizes = await lab.cluster.query<{ name: string; bytes: string }>(
    database,
    SIZES,
  );
  const [row] = await lab.cluster.query<{ body: string }>(
    database,
    'SELECT avg(octet_length(body)) AS body FROM message',
  );
  const mixed = await lab.cluster.query<{ name: string }>(database, MIXED);
  const body = Number(row?.body);
  const bytes = sizes.reduce((sum, one) => sum + Number(one.bytes), 0);
  const most = BODIES * body + MORE_BYTES;
  const each = (of: number) => rounded(of / size, 0);
  return {
    figures: [
      figure(
        'all tables and indexes, per message',
        [bytes / size, 'bytes', 0],
        {
          reference: ['body', body],
          ratio: bytes / size / body,
          mark: {
            ...atMost(bytes / size, most),
            text: `≤ ${BODIES} × body + ${MORE_BYTES} = ${rounded(most, 0)}`,
          },
        },
      ),
      figure(
        'tables of messages without a partition per peer',
        [mixed.length, ''],
        {
          mark: {
            text: 'dropping a peer is one drop',
            met: mixed.length === 0,
          },
        },
      ),
    ],
    notes: [
      `bytes per message: ${sizes
        .slice(0, 7)
        .map((one) => `${one.name} ${each(Number(one.bytes))}`)
        .join(', ')}; a checkpoint for every 64 messages`,
      ...mixed.map(({ name }) => `messages of all peers together: ${name}`),
    ],
  };
}
