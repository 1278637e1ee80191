import { z } from 'zod';
import { count, sha256Hex, url } from '../../server/http/openapi/scalars.js';

const evidenceItem = z.object({
  sha256: sha256Hex,
  origin: z.string(),
  kind: z.string(),
  at: z.string().meta({ format: 'date-time' }),
  url,
});

export const evidenceList = z.object({ data: z.array(evidenceItem), count });
export type EvidenceList = z.infer<typeof evidenceList>;

export const evidence = z
  .object({
    format: z.literal('reserve-board/evidence/v1'),
    kind: z.literal('equivocation'),
    origin: z.string(),
    log_vkey: z.string(),
    first: z.string(),
    second: z.string(),
    prefix_root: z.string().exactOptional(),
    consistency: z.array(z.string()).exactOptional(),
  })
  .describe('Proof by itself that one log key signed two histories.');
