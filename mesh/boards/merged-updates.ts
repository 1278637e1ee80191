import type { RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import { envelope, trust } from '../../server/envelope.js';
import { sendJson } from '../../server/http/conditional.js';
import { LongPoll } from '../../server/http/long-poll.js';
import { canonical, readQuery } from '../../server/http/query.js';
import type { MirroredList } from '../../server/openapi/mirrored.js';
import { pageLimit, viewOptions } from '../../server/threads/view-options.js';
import { mergedPage } from './merged-page.js';
import { itemsOf } from './merged-view.js';
import { mirroredBoards } from './mirrored-board.js';
import { withNamed } from './named-messages.js';

/**
 * GET /api/mesh/updates?since&wait&limit: the messages of every mirrored board
 * in the order in which they became readable on this node; `cursor` is a place
 * in that order, which no other node shares (spec/mesh.md §B9). This board's
 * own messages are not in it: they have their own updates.
 */
export function mergedUpdates(ctx: Context): RequestHandler {
  const waits = new LongPoll(ctx, 'mirror', 'mesh');
  const { limits, reads, clock } = ctx;
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = readQuery(req);
    const since = query.integer('since', { default: 0 });
    const max = limits.wait_max_seconds;
    const wait = query.integer('wait', { max, default: 0 });
    const limit = pageLimit(ctx, query, limits.messages_page_default);
    const view = viewOptions(ctx, query);
    const { preview, full, referencesMax } = view;
    const rows = await waits.until(
      req,
      res,
      wait,
      () => mergedPage(reads, since, limit + 1, preview, referencesMax),
      (seen) => seen.length > 0,
    );
    if (res.destroyed) return;
    const boards = await mirroredBoards(reads, clock.now());
    const page = await withNamed(reads, rows.slice(0, limit), boards, preview);
    const cursor = page.at(-1)?.seq ?? since;
    const more = canonical({
      since: cursor,
      limit,
      preview: preview || undefined,
      full,
      wait: wait || undefined,
    });
    const answer: MirroredList = {
      ...envelope(
        itemsOf(page, boards, view),
        cursor,
        rows.length > page.length ? `${baseUrl}/api/mesh/updates${more}` : null,
      ),
      ...trust(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}
