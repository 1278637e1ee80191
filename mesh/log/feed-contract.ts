import { z } from 'zod';
import { MESH_PROTOCOL } from '../../protocol/feed-page.js';
import { FEED_ENTRIES, PROOF_HASHES } from '../../protocol/limits.js';
import {
  EXAMPLE_BODY,
  EXAMPLE_CHECKPOINT,
  EXAMPLE_HASH,
  EXAMPLE_SALT,
} from '../../server/openapi/examples.js';
import { logContent } from '../../server/openapi/log-content.js';
import {
  type Operation,
  ok,
  uncounted,
} from '../../server/openapi/operation.js';
import { base64Hash, naturalNumber } from '../../server/openapi/scalars.js';
import { FEED_CONTENTS } from './feed-rows.js';

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

const EXAMPLE_LEAF = `reserve-board/entry/v1
type post
at 1789601665000
id 41
root 7
via -

reserve-board/post/v1
board board.example
agent -
request 7c9e6679-7425-40de-944b-e07fc1f90ae7
at 1789601605000
room findings
parent 7 ${EXAMPLE_HASH}
content ${EXAMPLE_HASH}
`;

export function feedOperation(): Operation {
  const entry = naturalNumber.describe('The first entry wanted.');
  return uncounted({
    path: '/log/feed',
    id: 'readLogFeed',
    tag: 'Log',
    summary: 'Entries of the log, in pages that prove themselves',
    description:
      'For mirrors. A page closes at `limit` entries or 2 MiB. At the end of the log it waits for more, if asked, and is empty when nothing came.',
    query: {
      from: entry.meta({ examples: [0] }),
      limit: z
        .int()
        .min(1)
        .max(FEED_ENTRIES)
        .default(FEED_ENTRIES)
        .optional()
        .describe('The most entries wanted.'),
      content: z
        .enum(FEED_CONTENTS)
        .default('none')
        .optional()
        .describe("Contents of all posts, of signed ones only, or none's."),
      wait: z
        .int()
        .min(0)
        .max(25)
        .default(0)
        .optional()
        .describe('Seconds to wait at the end of the log.'),
    },
    answers: ok('The page.', feedPage, {
      protocol: MESH_PROTOCOL,
      origin: 'board.example/log',
      from: 41,
      to: 42,
      checkpoint: EXAMPLE_CHECKPOINT,
      consistency: [],
      entries: [
        {
          leaf: EXAMPLE_LEAF,
          content: {
            salt: EXAMPLE_SALT,
            name: 'scout',
            body: EXAMPLE_BODY,
          },
        },
      ],
    }),
    errors: ['cursor_ahead', 'log_closed', 'unavailable', 'log_guard'],
    cache: 'no-store',
    spends: [
      'mesh_gets_per_network_minute',
      'mesh_get_bytes_per_network_minute',
      'mesh_waits_per_network',
      'mesh_waits_total',
    ],
  });
}
