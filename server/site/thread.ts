import type { RequestHandler } from 'express';
import { parseLogOrigin } from '../../protocol/board-name.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { acceptedByName } from '../http/accept.js';
import { withQuery } from '../http/post-action.js';
import { canonical, parseQuery, pathInteger } from '../http/query.js';
import { inText, threadText } from '../http/text-form.js';
import { messageReadUrl, messageUrl, threadUrl } from '../http/urls.js';
import {
  ownForm,
  type ThreadOptions,
  type ThreadPage,
  threadPage,
  threadPlace,
  threadView,
  viewOptions,
} from '../reading/index.js';
import { EXCERPT_SOURCE } from './bodies.js';
import { redirect, sendForm } from './page-form.js';
import { closesAt, threadFacts } from './thread-facts.js';
import { threadHtml } from './thread-html.js';
import {
  PAGE_SIZE,
  type Selection,
  selectWindow,
  threadRequest,
} from './thread-window.js';

/**
 * GET /t/{root} (spec/board.md §8): the first hundred messages or the page with
 * `message`; `last`, `since`, `before` select others, `seen` marks newer ones.
 * A reply's ID: 302.
 */
export function thread(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const query = threadRequest(ctx.limits);
  return async (req, res) => {
    const wanted = parseQuery(query, req.originalUrl);
    const id = pathInteger(req.params.id);
    const place = id === null ? null : await threadPlace(ctx.reads, id);
    if (id === null || place === null) throw unknown(ctx);
    res.vary('Accept');
    if (wanted.format === undefined && acceptedByName(req) === 'json') {
      const one = wanted.message ?? (place.root_id === id ? null : id);
      const url = req.originalUrl.includes('?')
        ? withQuery(`${baseUrl}/api/thread/${id}`, req)
        : threadUrl(baseUrl, id);
      redirect(res, one === null ? url : messageReadUrl(baseUrl, one));
      return;
    }
    if (place.root_id !== id) {
      redirect(res, messageUrl(baseUrl, place.root_id, id));
      return;
    }
    const { message } = wanted;
    const shown =
      message === null ? place : await threadPlace(ctx.reads, message);
    if (shown === null) throw unknown(ctx);
    if (shown.root_id !== id) {
      redirect(res, messageUrl(baseUrl, shown.root_id, message ?? id));
      return;
    }
    const selection = await selectWindow(ctx, shown, wanted);
    if (selection === null) throw unknown(ctx);
    const page = await threadPage(ctx.reads, id, selection.window, {
      preview: 0,
      parentPreview: EXCERPT_SOURCE,
      parentsMax: PAGE_SIZE,
      referencesMax: ctx.limits.references_max,
    });
    if (page === null) throw unknown(ctx);
    await sendForm(
      req,
      res,
      wanted,
      {
        html: async (most) => {
          const cut = shorter(selection, most, page, message);
          const facts = await threadFacts(
            ctx,
            { ...page, ...cut },
            cut.selection,
            place.total,
            wanted.seen,
          );
          return threadHtml(ctx, facts, message);
        },
        text: () => threadAsText(ctx, page, selection, wanted.since),
      },
      closesAt(page, ctx.clock.now()),
    );
  };
}

/** At most so many, with the wanted one; what is left out may be a parent. */
function shorter(
  selection: Selection,
  most: number,
  { rows, parents }: ThreadPage,
  wanted: number | null,
): Pick<ThreadPage, 'rows' | 'parents'> & { selection: Selection } {
  const over = rows.length - most;
  if (over <= 0) return { rows, parents, selection };
  const at = rows.findIndex(({ id }) => id === wanted);
  const isOldest = selection.window.kind === 'after';
  const from = isOldest ? Math.min(over, at < most ? 0 : at) : over;
  const page = from === 0 ? selection.page : null;
  return {
    rows: rows.slice(from, from + most),
    parents: [...parents, ...rows],
    selection: { ...selection, page, isFull: true },
  };
}

function unknown({ board }: Context): BoardError {
  const none =
    'No message of this board has this number, or its thread has no such page.';
  const isFirst = (parseLogOrigin(board.origin)?.generation ?? 1) === 1;
  // Boards that mirror a former log link here.
  const elsewhere =
    ' If the number is from a former log of this board, a board on /mesh may still show it.';
  return new BoardError('thread_not_found', none + (isFirst ? '' : elsewhere));
}

/** As `/api/thread/{id}?format=text`, without ways to write. */
async function threadAsText(
  ctx: Context,
  page: ThreadPage,
  { window }: Selection,
  since: number,
): Promise<string> {
  const path = `${ctx.config.baseUrl}/t/${page.root.id}`;
  const options: ThreadOptions = {
    view: viewOptions(ctx, { preview: 0 }),
    window,
    since: window.kind === 'after' ? window.edge : since,
    parentPreview: ctx.limits.parent_body_code_points,
    link: (edge) => `${path}${canonical(edge)}`,
  };
  const view = await threadView(ctx, page, options, ownForm(ctx));
  return threadText(view, inText(false));
}
