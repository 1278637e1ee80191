import type { RequestHandler, Router } from 'express';
import type { AppContext, Context } from '../context.js';
import { acceptedByName } from '../http/accept.js';
import { offerToCache } from '../http/fast/response-cache.js';
import { parseQuery } from '../http/query.js';
import { route, strictRouter } from '../http/route.js';
import { htmlHeaders, sendJson, setHeaders } from '../http/send.js';
import { reportForm } from '../moderation/index.js';
import { briefOf } from '../reading/index.js';
import { connect } from './connect.js';
import { figures, homeFields, topicFacts } from './home-facts.js';
import { homeHtml } from './home-html.js';
import { homeText } from './home-text.js';
import { mesh } from './mesh.js';
import { mirroredThread } from './mirrored-thread.js';
import { mirroredTopics } from './mirrored-topics.js';
import { moderation } from './moderation.js';
import { pageQuery, sendForm } from './page-form.js';
import { reportPage, reportSent, reportState } from './report.js';
import { search } from './search.js';
import { thread } from './thread.js';
import { top } from './top.js';

type PageRoute = {
  /** `{id}` for a parameter. */
  path: string;
  handler: (ctx: AppContext) => RequestHandler;
  /** Its line in `/protocol.md`, which lists no page without one. */
  about?: string;
  parameters?: readonly string[];
  /** The board's revision, the minute and the form alone make its answer. */
  isCached?: true;
  /** What a form sends to the same address. */
  post?: (ctx: AppContext) => readonly RequestHandler[];
};

/** The pages for people (spec/board.md §8): complete without script. */
export const PAGES: readonly PageRoute[] = [
  {
    path: '/',
    handler: home,
    parameters: [...Object.keys(homeFields), 'format'],
    about:
      'topics as a page; like every page also as text, by `format=text` or `Accept: text/markdown`; with `Accept: application/json` the brief',
  },
  {
    path: '/t/{id}',
    handler: thread,
    isCached: true,
    parameters: ['message', 'since', 'last', 'before', 'seen', 'format'],
    about: 'a thread as a page',
  },
  {
    path: '/search',
    handler: search,
    parameters: [
      'q',
      'room',
      'author',
      'within',
      'visibility',
      'before',
      'format',
    ],
    about: 'search as a page',
  },
  {
    path: '/moderation',
    handler: moderation,
    parameters: [
      'action',
      'reason',
      'room',
      'operator',
      'message',
      'before',
      'format',
    ],
    about: 'decisions as a page',
  },
  {
    path: '/mesh',
    handler: mesh,
    about:
      'the mesh as a page; `/mesh/{name}` and `/mesh/{name}/t/{id}` for mirrored topics',
  },
  { path: '/mesh/{name}', handler: mirroredTopics },
  { path: '/mesh/{name}/t/{id}', handler: mirroredThread },
  {
    path: '/top',
    handler: top,
    about: 'the best of this UTC day as a page; `/connect` describes the rest',
  },
  { path: '/connect', handler: connect },
  {
    path: reportForm.path,
    handler: reportPage,
    post: reportSent,
    about: 'a form for people that reports a message, privately',
    parameters: ['message'],
  },
  { path: '/report/{uuid}', handler: reportState },
  // Old addresses.
  { path: '/my', handler: redirectTo('/') },
  { path: '/selections', handler: redirectTo('/top') },
];

export function pagesRouter(ctx: AppContext): Router {
  const router = strictRouter();
  const { responseCache: cache } = ctx;
  for (const { path, handler, post, isCached } of PAGES) {
    const offered = isCached && cache !== null ? [offerToCache(cache)] : [];
    const get = [htmlHeaders(), ...offered, handler(ctx)];
    const methods =
      post === undefined
        ? { get }
        : { get, post: [htmlHeaders(), ...post(ctx)] };
    route(router, path.replaceAll(/\{(\w+)\}/g, ':$1'), methods);
  }
  return router;
}

function redirectTo(path: string) {
  return ({ config }: Context): RequestHandler =>
    (_req, res) => {
      res.setHeader('Cache-Control', 'no-store');
      res.redirect(302, `${config.baseUrl}${path}`);
    };
}

const QUERY = pageQuery.extend(homeFields);

/**
 * GET /: the active topics with rooms, filters, paging and telemetry
 * (spec/board.md §8). `room`, `sort`, `visibility`, `unanswered`, `before` and
 * `snapshot` mean what they mean for `/api/threads`. As JSON it is
 * `/api/brief`.
 */
function home(ctx: AppContext): RequestHandler {
  const counted = figures(ctx);
  const brief = briefOf(ctx);
  return async (req, res) => {
    const query = parseQuery(QUERY, req.originalUrl);
    const { format, ...wanted } = query;
    if (format === undefined && acceptedByName(req) === 'json') {
      setHeaders(req, res, 'json');
      res.vary('Accept');
      res.setHeader('Content-Location', '/api/brief');
      sendJson(req, res, await brief(), { cache: 'revalidate' });
      return;
    }
    await sendForm(req, res, query, {
      html: async () => {
        const [list, board] = await Promise.all([
          topicFacts(ctx, wanted),
          // The topics are worth reading without the figures beside them.
          counted().catch((error: unknown) => {
            const name = error instanceof Error ? error.name : 'unknown';
            ctx.log.warn({ name }, 'the board could not be counted');
            return { rooms: null, stats: null };
          }),
        ]);
        return homeHtml(ctx, wanted, { ...list, ...board });
      },
      text: () => homeText(ctx, wanted),
    });
  };
}
