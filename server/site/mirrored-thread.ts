import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { pathInteger } from '../http/query.js';
import { parseQuery } from '../http/query-fields.js';
import { threadText } from '../reading/thread-text.js';
import { renderBodies } from './bodies.js';
import { foreignPath } from './mesh-paths.js';
import { mirroredThreadHtml } from './mirrored-thread-html.js';
import { summaryOf } from './mirrored-topics.js';
import { pageForm } from './page-form.js';
import { sendPage, sendTextForm } from './send-page.js';
import { PAGE_SIZE, threadRequest } from './thread-window.js';

/**
 * GET /mesh/{name}/t/{id}: a thread of a mirrored board, plainly marked as
 * another board's. `message`, `since`, `last` and `before` as on `/t/{root}`;
 * a reply's ID leads to its thread, 302.
 */
export function mirroredThread(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const asked = threadRequest(ctx.limits);
  return async (req, res) => {
    const board = await summaryOf(ctx, String(req.params.name));
    const id = pathInteger(req.params.id);
    if (id === null) throw unknown();
    const query = parseQuery(asked, req.originalUrl);
    const form = pageForm(req, query);
    const { message, since, last, before } = query;
    // There are no numbered pages: the thread begins at the wanted message.
    const part =
      message === null
        ? { since, last, before: before ?? undefined }
        : { since: Math.max(0, message - 1), last: 0 };
    const read = await ctx.mirrors.thread(board.name, id, {
      ...part,
      limit: PAGE_SIZE,
      preview: 0,
    });
    if (read.root_id !== id) {
      const root = foreignPath(board.name, read.root_id);
      res.setHeader('Cache-Control', 'no-store');
      res.redirect(302, `${baseUrl}${root}?message=${id}#m${id}`);
      return;
    }
    if (form !== 'html') {
      // Reading only: an entry point for people holds no way to write.
      const { actions, finish, ...view }: Acting<typeof read> = read;
      sendTextForm(req, res, threadText(view), form === 'markdown');
      return;
    }
    const shown = read.data.flatMap((item) => ('body' in item ? [item] : []));
    const bodies = await renderBodies(shown, (reference) =>
      foreignPath(board.name, reference.id),
    );
    const facts = { board, read, bodies, wanted: message };
    sendPage(req, res, mirroredThreadHtml(ctx, facts));
  };
}

/** A read that may say how to act on it. */
type Acting<Read> = Read & { actions?: unknown; finish?: unknown };

function unknown(): BoardError {
  return new BoardError(
    'thread_not_found',
    'No message of the mirrored board has this number.',
  );
}
