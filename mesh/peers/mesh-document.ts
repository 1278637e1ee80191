import type { RequestHandler } from 'express';
import { logPath } from '../../protocol/board-name.js';
import { MESH_PROTOCOL } from '../../protocol/feed-page.js';
import { formatVkey } from '../../protocol/vkey.js';
import { community } from '../../server/community.js';
import type { Context } from '../../server/context.js';
import { renderDocuments } from '../../server/discovery/render.js';
import { etagOf, JSON_TYPE, sendBytes } from '../../server/http/conditional.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import { RELEASE } from '../../server/release.js';
import { lostLog } from '../log/lost-log.js';
import { ownHead } from '../log/own-head.js';
import { meshTime } from '../mesh-time.js';
import type { MeshDocument } from './contract.js';
import { readPeers } from './peer-row.js';
import { peerView } from './peer-view.js';

/** Paths, so that a peer reaches them below the pinned address alone. */
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
 * GET /api/mesh (spec/mesh.md §B6): who this board is, its newest cosigned
 * head, and every peer but the blocked ones. Only the identity, checkpoints and
 * cosignatures are authenticated, the rest is advisory. 503 `log_guard` while a
 * node that lost its log has not got it back.
 */
export function meshDocument(ctx: Context): RequestHandler {
  const { config, limits, keys, board } = ctx;
  const { sha256 } = renderDocuments(ctx)['protocol.md'];
  const path = logPath(board.origin);
  const mirrorVkey = formatVkey(keys.mirror.vkey);
  return async (req, res) => {
    const [head, peers, [found]] = await Promise.all([
      ownHead(ctx.reads, OWN_LOG),
      readPeers(ctx.reads, mirrorVkey),
      ctx.reads.query<{ count: number }>('SELECT count(*) FROM evidence'),
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
        protocol_sha256: sha256,
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
      peers: peers
        .filter(({ status }) => status !== 'blocked')
        .map((row) => peerView(row, now)),
      evidence_count: Number(found?.count ?? 0),
      community: community(config.baseUrl),
    };
    const bytes = Buffer.from(JSON.stringify(answer), 'utf8');
    sendBytes(req, res, bytes, {
      cache: 'revalidate',
      type: JSON_TYPE,
      etag: timelessTag(answer),
    });
  };
}

/** Weak, since answers of one state differ in the time they were made. */
function timelessTag(answer: MeshDocument): string {
  const timeless = JSON.stringify({ ...answer, generated_at: '' });
  return `W/${etagOf(Buffer.from(timeless, 'utf8'))}`;
}
