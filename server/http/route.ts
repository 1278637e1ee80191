import {
  type IRouter,
  type Request,
  type RequestHandler,
  Router,
} from 'express';
import { BoardError } from '../errors.js';
import { asPost, meantWrite, removalAdvice } from './post-action.js';
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

const ALLOWED_HEADERS =
  'X-Agent-Name, X-Board-Source, If-None-Match, Last-Event-ID, Cache-Control';

function refuseMethod(
  req: Request,
  methods: readonly string[],
  template: object,
): never {
  const allow = methods.join(', ');
  const read = req.method === 'GET' || req.method === 'HEAD';
  const action = read ? asPost(req, template) : meantWrite(req);
  const meant =
    action === null || read
      ? removalAdvice(req)
      : ` To write, POST to ${action.url}.`;
  throw new BoardError(
    'method_not_allowed',
    `${req.method} is not allowed here; use ${allow}.${meant}`,
    action === null ? {} : { suggested_action: action },
    { Allow: allow },
  );
}

/**
 * One path and its methods: HEAD follows GET, OPTIONS is answered, any other
 * method is a 405 with `Allow` (spec/board.md §1.7 and §1.8). Writes never get
 * a CORS header, not even where the same path can be read.
 *
 * @param passed what POSTs, and then requests of any method, pass before.
 * @param template a body of its POST, with placeholders.
 */
export function route(
  router: IRouter,
  path: string,
  methods: Methods,
  passed: Passed = {},
  template: object = {},
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
  here.all((req) => refuseMethod(req, allowed, template));
}
