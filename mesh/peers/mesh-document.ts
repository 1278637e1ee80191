import { z } from 'zod';
import { logPath } from '../../protocol/board-name.js';
import { MESH_PROTOCOL } from '../../protocol/feed-page.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Documented } from '../../server/api-docs/index.js';
import { meshTime } from '../../server/clock.js';
import { Evidence } from '../../server/db/entities/mirror.js';
import { readEndpoint, SENT } from '../../server/http/endpoint.js';
import {
  communitySchema,
  count,
  sha256Hex,
  url,
} from '../../server/http/openapi/common.js';
import {
  EXAMPLE_CHECKPOINT,
  exampleTrust,
} from '../../server/http/openapi/examples.js';
import { ok } from '../../server/http/openapi/operation.js';
import { RELEASE } from '../../server/http/release.js';
import {
  community,
  etagOf,
  JSON_TYPE,
  sendBytes,
} from '../../server/http/send.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { servedTexts } from '../../server/stats/index.js';
import { TOP_LEVEL } from '../peer-port.js';
import { lostLog, meshRead } from '../serve/log-reads.js';
import { ownHead } from '../serve/logs.sql.js';
import { meshPeer, meshTimeText } from './answers.js';
import { nextBefore, peersPage } from './peer-list.js';

/** The identity note has them, signed (spec/mesh.md §B6). */
const DEPRECATED = { deprecated: true };

export const meshDocument = z
  .object({
    protocol: z.literal('reserve-mesh/1'),
    generated_at: meshTimeText,
    board: z.object({
      name: z.string(),
      title: z.string(),
      base_url: url,
      contact: z.string(),
      software: z.string(),
      protocol_sha256: sha256Hex,
      messages: z
        .object({ signed: count, guest: count })
        .describe('Texts that it serves now; advisory.'),
    }),
    identity: z.string().describe('A note signed by the log and node key.'),
    log: z.object({
      origin: z.string(),
      prefix: url.meta(DEPRECATED),
      vkey: z.string().meta(DEPRECATED),
      size: count,
      checkpoint: z.string(),
      checkpoint_at: meshTimeText,
    }),
    mirror_key: z.string().meta(DEPRECATED),
    node_key: z.string().meta(DEPRECATED),
    endpoints: z
      .object({
        feed: z.string(),
        tiles: z.string(),
        checkpoint: z.string(),
        mirror: z.string(),
        keys: z.string(),
        relay: z.string(),
        cosign: z.string(),
        hint: z.string(),
        evidence: z.string(),
        boards: z.string(),
      })
      .meta(DEPRECATED),
    limits: z.object({
      feed_entries: count,
      feed_bytes: count,
      wait_seconds: count,
      leaf_bytes: count,
      content_bytes: count,
      relay_per_minute: count,
      relay_per_hour: count,
    }),
    checks: z
      .literal('active')
      .exactOptional()
      .describe('Posts of `peer check --active` are welcome here.'),
    peers: z
      .array(meshPeer)
      .describe('At most 200: those with the newest `last_checkpoint`.'),
    next_before: nextBefore,
    evidence_count: count,
    level: z
      .int()
      .min(0)
      .max(4)
      .describe('What this node does of the mesh: 4, a relay.'),
    community: communitySchema,
  })
  .describe('Only identity, checkpoints and cosignatures are authenticated.');

type MeshDocument = z.infer<typeof meshDocument>;

/** Paths: reached under the pinned address only. */
function endpoints(log: string): MeshDocument['endpoints'] {
  return {
    feed: `${log}/feed`,
    tiles: `${log}/tile`,
    checkpoint: `${log}/checkpoint`,
    mirror: '/mirror',
    keys: '/api/keys',
    relay: '/api/mesh/relay',
    cosign: '/api/mesh/cosign',
    hint: '/api/mesh/hint',
    evidence: '/api/mesh/evidence',
    boards: '/api/mesh/boards',
  };
}

/**
 * spec/mesh.md §B6: identity, newest cosigned head and peers, without blocked
 * ones. Only identity, checkpoints and cosignatures are authenticated. 503
 * `log_guard` for a lost log.
 */
export const readMesh = readEndpoint({
  get: '/api/mesh',
  id: 'readMesh',
  tag: 'Mesh',
  summary: 'This board in the mesh, and the boards it mirrors',
  description:
    'The identity note, the newest cosigned head, endpoints (as paths), limits and the 200 peers with the newest heads; `/api/mesh/peers?before=<next_before>` lists the others. Blocked peers are left out.',
  about: 'this node, its peers, its keys',
  ...meshRead,
  answers: ({ baseUrl }) =>
    ok('The mesh document.', meshDocument, exampleDocument(baseUrl)),
  errors: ['unavailable', 'log_guard'],
  handle: (ctx: Documented) => {
    const { config, limits, keys, board } = ctx;
    const path = logPath(board.origin);
    const mirrorVkey = formatVkey(keys.mirror.vkey);
    return async ({ req, res }) => {
      const [head, peers, evidenceCount, messages] = await Promise.all([
        ownHead(ctx.reads, OWN_LOG),
        peersPage(ctx),
        ctx.reads.manager.count(Evidence),
        servedTexts(ctx.reads),
      ]);
      if (!head?.identity || head.checkpoint === '') throw lostLog();
      const now = ctx.clock.now();
      const answer: MeshDocument = {
        protocol: MESH_PROTOCOL,
        generated_at: meshTime(now),
        board: {
          name: board.name,
          title: config.boardTitle,
          base_url: config.baseUrl,
          contact: config.boardContact,
          software: `reserve-board/${RELEASE}`,
          protocol_sha256: ctx.documents()['protocol.md'].sha256,
          messages,
        },
        identity: head.identity,
        log: {
          origin: board.origin,
          prefix: `${config.baseUrl}${path}`,
          vkey: formatVkey(keys.log.vkey),
          size: head.size,
          checkpoint: head.checkpoint,
          checkpoint_at: meshTime(head.at),
        },
        mirror_key: mirrorVkey,
        node_key: formatVkey(keys.node.vkey),
        endpoints: endpoints(path),
        limits: {
          feed_entries: limits.mesh_feed_entries,
          feed_bytes: limits.mesh_feed_bytes,
          wait_seconds: limits.wait_max_seconds,
          leaf_bytes: limits.mesh_leaf_bytes,
          content_bytes: limits.mesh_content_bytes,
          relay_per_minute: limits.mesh_relay_per_peer_minute,
          relay_per_hour: limits.mesh_relay_per_peer_hour,
        },
        ...(config.peerChecks ? { checks: 'active' as const } : {}),
        peers: peers.data,
        evidence_count: evidenceCount,
        level: TOP_LEVEL,
        next_before: peers.next_before,
        community: community(config.baseUrl),
      };
      const bytes = Buffer.from(JSON.stringify(answer), 'utf8');
      sendBytes(req, res, bytes, {
        cache: 'revalidate',
        type: JSON_TYPE,
        etag: timelessTag(answer),
      });
      return SENT;
    };
  },
});

/** Weak: answers of one state differ in time. */
function timelessTag(answer: MeshDocument): string {
  const timeless = JSON.stringify({ ...answer, generated_at: '' });
  return `W/${etagOf(Buffer.from(timeless, 'utf8'))}`;
}

function exampleDocument(baseUrl: string): MeshDocument {
  const name = 'board-a.example';
  const vkey = (role: string) => `${name}/${role}+01234567+AQID`;
  return {
    protocol: 'reserve-mesh/1',
    generated_at: '2026-09-16T23:34:25.000Z',
    board: {
      name,
      title: 'Board A',
      base_url: baseUrl,
      contact: 'mailto:operator@board-a.example',
      software: 'reserve-board/0.1.0',
      protocol_sha256: '0'.repeat(64),
      messages: { signed: 30, guest: 12 },
    },
    identity: 'reserve-board/identity/v1\n…',
    log: {
      origin: `${name}/log`,
      prefix: `${baseUrl}/log`,
      vkey: vkey('log'),
      size: 42,
      checkpoint: EXAMPLE_CHECKPOINT,
      checkpoint_at: '2026-09-16T23:34:24.120Z',
    },
    mirror_key: vkey('mirror'),
    node_key: vkey('node'),
    endpoints: endpoints('/log'),
    limits: {
      feed_entries: 256,
      feed_bytes: 2_097_152,
      wait_seconds: 25,
      leaf_bytes: 8192,
      content_bytes: 24_576,
      relay_per_minute: 10,
      relay_per_hour: 120,
    },
    peers: [],
    next_before: null,
    evidence_count: 0,
    level: TOP_LEVEL,
    community: exampleTrust(baseUrl).community,
  };
}
