import { z } from 'zod';
import { count, sha256Hex, url } from '../../server/http/openapi/scalars.js';
import { communitySchema } from '../../server/http/openapi/trust.js';
import { TRUSTS } from './peer-row.js';
import { STATUSES } from './peer-status.js';

const meshTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time' });

export const peer = z
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

export const document = z
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
