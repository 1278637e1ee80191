import { z } from 'zod';
import { MESH_PROTOCOL } from '../../../protocol/feed-page.js';
import { FEED_ENTRIES, PROOF_HASHES } from '../../../protocol/limits.js';
import { logContent } from '../../../server/http/openapi/log-content.js';
import {
  base64Hash,
  naturalNumber,
} from '../../../server/http/openapi/scalars.js';

export const consistencyProof = z
  .object({
    from: naturalNumber,
    to: naturalNumber,
    hashes: z.array(base64Hash).describe('RFC 6962 2.1.2.'),
  })
  .describe('Proof that the log of size `to` continues that of size `from`.');

export const contentAt = z.object({
  index: naturalNumber,
  content: logContent,
});

/** Shape of `GET {log}/feed` (spec/mesh.md §B4). */
export const feedPage = z
  .object({
    protocol: z.literal(MESH_PROTOCOL),
    origin: z.string(),
    from: naturalNumber,
    to: naturalNumber.describe('The first entry that is not in this page.'),
    checkpoint: z.string().describe('The signed head, a C2SP checkpoint.'),
    consistency: z
      .array(base64Hash)
      .max(PROOF_HASHES)
      .describe(
        'RFC 6962 2.1.2 from `to` to the checkpoint; empty at its end.',
      ),
    entries: z
      .array(
        z.object({
          leaf: z.string().describe('The text whose bytes the tree hashes.'),
          content: logContent
            .nullable()
            .exactOptional()
            .describe(
              'Absent: not asked for, or the entry has none. Null: removed.',
            ),
        }),
      )
      .max(FEED_ENTRIES),
  })
  .describe('Some entries of a log, and the proof that they belong to it.');

export type ConsistencyProof = z.infer<typeof consistencyProof>;
export type ContentAt = z.infer<typeof contentAt>;
