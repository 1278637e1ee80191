import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { sendJson, sendText } from '../http/conditional.js';
import { setHeaders } from '../http/headers.js';
import { pathInteger, readQuery } from '../http/query.js';
import {
  type ThreadOptions,
  threadOptions,
} from '../threads/thread-options.js';
import { type ThreadPage, threadPage } from '../threads/thread-page.js';
import { threadText } from '../threads/thread-text.js';
import { emptyThread, threadView } from '../threads/thread-view.js';

/**
 * GET /api/thread/{id}: a page of the thread that any of its messages names
 * (spec/board.md §2.3), in one statement.
 */
export function readThread(ctx: Context): RequestHandler {
  return async (req, res) => {
    const id = pathInteger(req.params.id);
    if (id === null) throw unknown();
    const options = threadOptions(ctx, readQuery(req), id);
    const page = await threadPage(ctx.lookups, id, options.window, {
      preview: options.view.preview,
      parentPreview: options.parentPreview,
      parentsMax: ctx.limits.parents_max,
      referencesMax: ctx.limits.references_max,
    });
    if (page === null) throw unknown();
    const answer = isEmptyIncrement(page, options)
      ? emptyThread(ctx, page.root, options.since)
      : threadView(ctx, page, options);
    const closes = page.root.poll?.closes_at ?? Number.POSITIVE_INFINITY;
    const now = ctx.clock.now();
    const cache = {
      cache: 'revalidate',
      // A poll ends without anything being written.
      ...(closes > now ? { until: closes } : {}),
    } as const;
    if (options.text) {
      setHeaders(req, res, 'text');
      sendText(req, res, threadText(answer), cache);
    } else {
      sendJson(req, res, answer, cache);
    }
  };
}

function isEmptyIncrement(
  { rows }: ThreadPage,
  { window, since }: ThreadOptions,
): boolean {
  return window.kind === 'after' && since > 0 && rows.length === 0;
}

function unknown(): BoardError {
  return new BoardError(
    'thread_not_found',
    'No message of this board has this ID, so there is no thread to read.',
  );
}
