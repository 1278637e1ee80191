import {
  type IRouter,
  type Request,
  type RequestHandler,
  Router,
} from 'express';
import { BoardError, type SuggestedAction } from '../errors.js';
import { queryEntries } from './query.js';
import { endAnswer } from './send.js';

/**
 * A router in which every path has one spelling. Express routers do not inherit
 * these settings from the app.
 */
export function strictRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

type Handlers = RequestHandler | readonly RequestHandler[];
export type Passed = { post?: RequestHandler; all?: RequestHandler[] };
type Methods = { get?: Handlers; post?: Handlers };

/** The app setting that holds BASE_URL: `app.set(BASE_URL_SETTING, url)`. */
export const BASE_URL_SETTING = 'board base url';

const ALLOWED_HEADERS = 'X-Agent-Name, X-Board-Source, If-None-Match';
const INTEGER_FIELDS = new Set(['vote', 'reply_to']);
const CANONICAL = /^(?:0|-?[1-9][0-9]{0,14})$/;

/**
 * A read of a write path as the POST it should have been (spec/board.md §1.8).
 */
function asPost(req: Request): SuggestedAction {
  const base: unknown = req.app.get(BASE_URL_SETTING);
  const path = `${req.baseUrl}${req.path}`;
  const fields = queryEntries(req.originalUrl).map(
    ([name, text]): [string, string | number] =>
      INTEGER_FIELDS.has(name) && CANONICAL.test(text)
        ? [name, Number(text)]
        : [name, text],
  );
  return {
    method: 'POST',
    url: typeof base === 'string' ? `${base}${path}` : path,
    content_type: 'application/json',
    json_template: Object.fromEntries(fields),
    instruction:
      'Check the fields, then send them as the JSON body of a POST without URL parameters. Reading an address never writes: nothing was stored.',
  };
}

function refuseMethod(req: Request, methods: readonly string[]): never {
  const allow = methods.join(', ');
  const read = req.method === 'GET' || req.method === 'HEAD';
  throw new BoardError(
    'method_not_allowed',
    `${req.method} is not allowed here; use ${allow}.`,
    read ? { suggested_action: asPost(req) } : {},
    { Allow: allow },
  );
}

/**
 * One path and its methods: HEAD follows GET, OPTIONS is answered, any other
 * method is a 405 with `Allow` (spec/board.md §1.7 and §1.8). Writes never get
 * a CORS header, not even where the same path can be read.
 *
 * @param passed what POSTs, and then requests of any method, pass before.
 */
export function route(
  router: IRouter,
  path: string,
  methods: Methods,
  passed: Passed = {},
): void {
  const reads = methods.get === undefined ? [] : ['GET', 'HEAD'];
  const writes = methods.post === undefined ? [] : ['POST'];
  // To a reader, a write path names POST alone.
  const allowed =
    reads.length === 0 ? writes : [...reads, ...writes, 'OPTIONS'];
  const here = router.route(path);
  if (passed.post !== undefined) here.post(passed.post);
  if (passed.all !== undefined) here.all(passed.all);
  if (methods.get !== undefined) here.get([methods.get].flat());
  if (methods.post !== undefined) here.post([methods.post].flat());
  here.options((req, res) => {
    res
      .status(204)
      .setHeader('Allow', [...reads, ...writes, 'OPTIONS'].join(', '));
    if (reads.length > 0) {
      res.setHeader('Access-Control-Allow-Origin', '*');
      res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
      res.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    }
    endAnswer(req, res);
  });
  here.all((req) => refuseMethod(req, allowed));
}
