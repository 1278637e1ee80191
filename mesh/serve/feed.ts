import type { RequestHandler } from 'express';
import { z } from 'zod';
import { toBase64 } from '../../protocol/bytes.js';
import { contentToJson } from '../../protocol/content.js';
import { MESH_PROTOCOL } from '../../protocol/feed-page.js';
import { FEED_ENTRIES, PROOF_HASHES } from '../../protocol/limits.js';
import { consistencyPlan, hashesOfPlan } from '../../protocol/plan.js';
import type { Context } from '../../server/context.js';
import { BoardError, unavailable } from '../../server/errors.js';
import { LongPoll } from '../../server/http/long-poll.js';
import {
  base64Hash,
  logContent,
  naturalNumber,
} from '../../server/http/openapi/common.js';
import {
  EXAMPLE_BODY,
  EXAMPLE_CHECKPOINT,
  EXAMPLE_HASH,
  EXAMPLE_SALT,
} from '../../server/http/openapi/examples.js';
import {
  type Operation,
  ok,
  type Setting,
  uncounted,
} from '../../server/http/openapi/operation.js';
import { integer, oneOf, parseQuery } from '../../server/http/query.js';
import { JSON_TYPE } from '../../server/http/send.js';
import { sendPacked } from '../../server/http/send-compressed.js';
import {
  lookupIn,
  OWN_LOG,
  readTree,
} from '../../server/ledger/own-log.sql.js';
import type { Limits } from '../../server/limits.js';
import {
  logOf,
  lostLog,
  MESH_GETS,
  MESH_WAITS,
  requiredInteger,
} from './log-reads.js';
import { FEED_CONTENTS, type FeedRow, readFeed } from './logs.sql.js';

/** `GET {log}/feed` (spec/mesh.md §B4). */
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

const EXAMPLE_PAGE = {
  protocol: MESH_PROTOCOL,
  origin: 'board.example/log',
  from: 41,
  to: 42,
  checkpoint: EXAMPLE_CHECKPOINT,
  consistency: [],
  entries: [
    {
      leaf: EXAMPLE_LEAF,
      content: { salt: EXAMPLE_SALT, name: 'scout', body: EXAMPLE_BODY },
    },
  ],
};

/** For checkpoint, proof and names. */
const HEAD_BYTES = 32_768;

function feedQuery(limits: Limits) {
  const most = limits.mesh_feed_entries;
  return {
    from: requiredInteger()
      .describe('The first entry wanted.')
      .meta({ examples: [0] }),
    limit: integer({ min: 1, max: most })
      .default(most)
      .describe('The most entries wanted.'),
    content: oneOf(FEED_CONTENTS)
      .default('none')
      .describe("Contents of all posts, of signed ones only, or none's."),
    wait: integer({ max: limits.wait_max_seconds })
      .default(0)
      .describe('Seconds to wait at the end of the log.'),
  };
}

export function feedOperation({ limits }: Setting): Operation {
  return uncounted({
    path: '/log/feed',
    id: 'readLogFeed',
    tag: 'Log',
    summary: 'Entries of the log, in pages that prove themselves',
    about: 'log entries with their texts and a proof, for mirrors',
    description:
      'For mirrors. A page closes at `limit` entries or 2 MiB. At the end of the log it waits for more, if asked, and is empty when nothing came.',
    query: feedQuery(limits),
    answers: ok('The page.', feedPage, EXAMPLE_PAGE),
    errors: ['cursor_ahead', 'log_closed', 'unavailable', 'log_guard'],
    cache: 'no-store',
    spends: [...MESH_GETS, ...MESH_WAITS],
  });
}

/**
 * From `from`, at most `limit` and 2 MiB, with a proof to the signed head. At
 * the end it waits up to `wait` seconds (spec/mesh.md §B4).
 */
export function feed(ctx: Context): RequestHandler {
  const ownWaits = new LongPoll(ctx, 'log', 'mesh');
  const mirrorWaits = new LongPoll(ctx, 'mirror', 'mesh');
  const { limits, reads } = ctx;
  const query = z.object(feedQuery(limits));
  return async (req, res) => {
    const { from, limit, content, wait } = parseQuery(query, req.originalUrl);
    const log = logOf(res);
    const isOwn = log.originId === OWN_LOG;
    const { head, rows } = await (isOwn ? ownWaits : mirrorWaits).until(
      req,
      res,
      wait,
      () => readFeed(reads, log, from, limit, content),
      (seen) => seen.head?.size !== from,
    );
    if (res.destroyed) return;
    if (head === null) throw isOwn ? lostLog() : noHeadYet();
    if (from > head.size) {
      throw new BoardError(
        'cursor_ahead',
        `\`from\` must not be larger than the log, which has ${head.size} entries.`,
        { field: 'from', checkpoint: head.checkpoint },
      );
    }
    const entries = entriesWithin(rows, limits.mesh_feed_bytes - HEAD_BYTES);
    const to = from + entries.length;
    const page = JSON.stringify({
      protocol: MESH_PROTOCOL,
      origin: head.origin,
      from,
      to,
      checkpoint: head.checkpoint,
      consistency: await proofBetween(ctx, log.originId, to, head.size),
      entries: [],
    });
    const whole = `${page.slice(0, -2)}${entries.join(',')}]}`;
    const bytes = Buffer.from(whole, 'utf8');
    // Fastest level: pages are packed per request.
    const how = { type: JSON_TYPE, cache: 'no-store', level: 1 } as const;
    sendPacked(req, res, bytes, how);
  };
}

/** As JSON; at least one. */
function entriesWithin(rows: readonly FeedRow[], bytes: number): string[] {
  const entries: string[] = [];
  let left = bytes;
  for (const { leaf, content } of rows) {
    const entry = JSON.stringify({
      leaf: leaf.toString('utf8'),
      content: content && contentToJson(content),
    });
    left -= Buffer.byteLength(entry) + 1;
    if (left < 0 && entries.length > 0) break;
    entries.push(entry);
  }
  return entries;
}

async function proofBetween(
  ctx: Context,
  originId: number,
  from: number,
  to: number,
): Promise<string[]> {
  const plan = consistencyPlan(from, to);
  if (plan.length === 0) return [];
  const tree = await readTree(ctx.reads, originId, plan.flat());
  return hashesOfPlan(plan, lookupIn(tree.hashes)).map(toBase64);
}

function noHeadYet(): BoardError {
  return unavailable(
    'This mirror has not reached a signed head of that log yet; ask again later.',
    10,
  );
}
