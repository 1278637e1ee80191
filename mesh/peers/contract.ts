import { z } from 'zod';
import {
  EXAMPLE_CHECKPOINT,
  exampleTrust,
} from '../../server/openapi/examples.js';
import {
  type Contract,
  type Operation,
  ok,
  type Setting,
  uncounted,
} from '../../server/openapi/operation.js';
import { count, sha256Hex, url } from '../../server/openapi/scalars.js';
import { communitySchema } from '../../server/openapi/trust.js';
import { TRUSTS } from './peer-row.js';
import { STATUSES } from './peer-status.js';

const meshTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time' });

const peer = z
  .object({
    name: z.string(),
    origin: z.string(),
    base_url: url,
    log_vkey: z.string(),
    mirror_vkey: z.string(),
    trust: z.enum(TRUSTS),
    status: z.enum(STATUSES),
    remote_size: count,
    mirrored_size: count,
    lag_entries: count,
    lag_ms: count.describe('Age of the oldest known unmirrored entry.'),
    apply_ms_p95: z
      .int()
      .nullable()
      .describe('From an entry to its commit here; null before the first.'),
    last_checkpoint: z
      .string()
      .nullable()
      .describe("Log signature and this board's cosignature: the gossip."),
    last_success_at: meshTime.nullable(),
    last_error: z.object({ code: z.string(), at: meshTime }).nullable(),
    acked_size: count.describe('Their newest cosignature on our log.'),
    invalid_entries: count,
    withheld_contents: count,
    evidence: z.array(sha256Hex),
  })
  .describe('A board that this one mirrors.');

const document = z
  .object({
    protocol: z.literal('reserve-mesh/1'),
    generated_at: meshTime,
    board: z.object({
      name: z.string(),
      title: z.string(),
      base_url: url,
      contact: z.string(),
      software: z.string(),
      protocol_sha256: sha256Hex,
    }),
    identity: z.string().describe('A note signed by the log and node key.'),
    log: z.object({
      origin: z.string(),
      prefix: url,
      vkey: z.string(),
      size: count,
      checkpoint: z.string(),
      checkpoint_at: meshTime,
    }),
    mirror_key: z.string(),
    node_key: z.string(),
    endpoints: z.object({
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
    }),
    limits: z.object({
      feed_entries: count,
      feed_bytes: count,
      wait_seconds: count,
      leaf_bytes: count,
      content_bytes: count,
      relay_per_minute: count,
      relay_per_hour: count,
    }),
    peers: z.array(peer),
    evidence_count: count,
    community: communitySchema,
  })
  .describe('Only identity, checkpoints and cosignatures are authenticated.');

export type MeshPeer = z.infer<typeof peer>;
export type MeshDocument = z.infer<typeof document>;

/** Who this board is in the mesh, and whom it mirrors. */
export function peersContract(setting: Setting): Contract {
  return {
    schemas: { MeshDocument: document, MeshPeer: peer },
    operations: [read(setting)],
  };
}

function read({ baseUrl }: Setting): Operation {
  return uncounted({
    path: '/api/mesh',
    id: 'readMesh',
    tag: 'Mesh',
    summary: 'This board in the mesh, and the boards it mirrors',
    description:
      'The identity note, the newest cosigned head, endpoints (as paths), limits and peers. Blocked peers are left out.',
    answers: ok('The mesh document.', document, example(baseUrl)),
    errors: ['unavailable', 'log_guard'],
    spends: [
      'mesh_gets_per_network_minute',
      'mesh_get_bytes_per_network_minute',
    ],
  });
}

function example(baseUrl: string): MeshDocument {
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
    endpoints: {
      feed: '/log/feed',
      tiles: '/log/tile',
      checkpoint: '/log/checkpoint',
      mirror: '/mirror',
      keys: '/api/keys',
      relay: '/api/mesh/relay',
      cosign: '/api/mesh/cosign',
      hint: '/api/mesh/hint',
      evidence: '/api/mesh/evidence',
      boards: '/api/mesh/boards',
    },
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
    evidence_count: 0,
    community: exampleTrust(baseUrl).community,
  };
}
