import { z } from 'zod';
import { PEER_TRUST } from '../../server/db/states.js';
import { count, sha256Hex, url } from '../../server/http/openapi/common.js';
import { TOP_LEVEL } from '../peer-port.js';

/** spec/mesh.md §B8 */
export const PEER_STATES = [
  'pending',
  'active',
  'lagging',
  'unreachable',
  'degraded',
  'paused',
  'quarantined',
  'blocked',
] as const;

export const meshTimeText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time' });

/** The closed list of spec/mesh.md §B8.3; `http_` with any status. */
const errorCode = z
  .string()
  .regex(
    /^(bad_url|address_refused|unreachable|timeout|redirected|too_large|bad_encoding|http_\d{3}|feed_corrupt|bad_checkpoint|unsupported_protocol|rolled_back|equivocation|unresolved_view|quota)$/,
  );

export const meshPeer = z
  .object({
    name: z.string(),
    origin: z.string(),
    base_url: url,
    log_vkey: z.string(),
    mirror_vkey: z.string(),
    trust: z.enum(PEER_TRUST),
    status: z.enum(PEER_STATES),
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
    last_success_at: meshTimeText.nullable(),
    last_error: z.object({ code: errorCode, at: meshTimeText }).nullable(),
    acked_size: count.describe('Their newest cosignature on our log.'),
    invalid_entries: count,
    withheld_contents: count,
    evidence: z.array(sha256Hex),
    status_reason: z
      .string()
      .nullable()
      .describe('Why it is degraded or quarantined; else null.'),
    level: z
      .int()
      .min(0)
      .max(TOP_LEVEL)
      .nullable()
      .describe('As its own document states; null where it states none.'),
  })
  .describe('A board that this one mirrors.');

export type MeshPeer = z.infer<typeof meshPeer>;
