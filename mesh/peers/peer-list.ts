import { z } from 'zod';
import type { Context } from '../../server/context.js';
import { invalid } from '../../server/errors.js';
import { readEndpoint, SENT } from '../../server/http/endpoint.js';
import { count } from '../../server/http/openapi/common.js';
import { ok } from '../../server/http/openapi/operation.js';
import { integer, text } from '../../server/http/query.js';
import { etagOf, JSON_TYPE, sendBytes } from '../../server/http/send.js';
import { meshRead } from '../serve/log-reads.js';
import { meshPeer } from './answers.js';
import { peerView } from './peer-view.js';
import {
  type PeerPlace,
  type PlacedPeer,
  readNewestPeers,
} from './peers.sql.js';

const PEERS_MAX = 200;

/** Keeps `/api/mesh` under 256 KiB (§B11.1). */
const PEERS_BYTES = 221_184;

export const nextBefore = z
  .string()
  .nullable()
  .describe('`before` of the next page of `/api/mesh/peers`; null at the end.');

export const peerPage = z.object({
  data: z.array(meshPeer),
  count,
  next_before: nextBefore,
});
type PeerPage = z.infer<typeof peerPage>;

/** As many as fit, at least one. */
export async function peersPage(
  { reads, keys, clock }: Pick<Context, 'reads' | 'keys' | 'clock'>,
  before: PeerPlace | null = null,
  limit = PEERS_MAX,
): Promise<PeerPage> {
  const rows = await readNewestPeers(reads, keys, before, limit + 1);
  const now = clock.now();
  const data: PeerPage['data'] = [];
  let bytes = 0;
  let last: PlacedPeer | undefined;
  for (const row of rows.slice(0, limit)) {
    const view = peerView(row, now);
    bytes += Buffer.byteLength(JSON.stringify(view)) + 1;
    if (bytes > PEERS_BYTES && last !== undefined) break;
    data.push(view);
    last = row;
  }
  data.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    data,
    count: data.length,
    next_before:
      last === undefined || data.length === rows.length
        ? null
        : `${last.place.at}-${last.place.originId}`,
  };
}

const PLACE = /^(0|[1-9]\d{0,14})-([1-9]\d{0,8})$/;
const NO_PLACE = 'must be the `next_before` of another page.';

function placeOf(before: string | undefined): PeerPlace | null {
  if (before === undefined) return null;
  const [, at, originId] = PLACE.exec(before) ?? [];
  if (at === undefined) throw invalid('before', `\`before\` ${NO_PLACE}`);
  return { at: Number(at), originId: Number(originId) };
}

/** After those of `/api/mesh` (spec/mesh.md §B6). */
export const listPeers = readEndpoint({
  get: '/api/mesh/peers',
  id: 'listPeers',
  tag: 'Mesh',
  summary: 'The boards that this one mirrors, in pages',
  description:
    'Those with the newest `last_checkpoint` are on the first page; in a page they go by name. A page ends at 216 KiB, too.',
  about: 'its peers in pages, behind the 200 of `/api/mesh`',
  ...meshRead,
  query: () => ({
    before: text({ min: 1, max: 32, message: NO_PLACE })
      .optional()
      .describe('`next_before` of `/api/mesh` or of the page before.')
      .meta({ pattern: PLACE.source, examples: ['1789594465000-7'] }),
    limit: integer({ min: 1, max: PEERS_MAX })
      .default(PEERS_MAX)
      .describe('Peers of a page.'),
  }),
  answers: () =>
    ok('A page of peers.', peerPage, {
      data: [],
      count: 0,
      next_before: null,
    }),
  errors: ['unavailable'],
  handle:
    (ctx) =>
    async ({ req, res, query: { before, limit } }) => {
      const page = await peersPage(ctx, placeOf(before), limit);
      const how = { cache: 'revalidate', type: JSON_TYPE } as const;
      const bytes = Buffer.from(JSON.stringify(page));
      sendBytes(req, res, bytes, { ...how, etag: tagOf(page) });
      return SENT;
    },
});

/** Weak: some members change at every look at a peer, without news. */
function tagOf(page: PeerPage): string {
  const data = page.data.map(({ last_error, ...peer }) => ({
    ...peer,
    lag_ms: 0,
    last_success_at: '',
    error: last_error?.code,
  }));
  return `W/${etagOf(Buffer.from(JSON.stringify({ ...page, data })))}`;
}
