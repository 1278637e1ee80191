import {
  type IRouter,
  type Request,
  type RequestHandler,
  Router,
} from 'express';
import { BoardError } from '../errors.js';
import { asPost, meantWrite, methodAdvice } from './post-action.js';
import { endAnswer } from './send.js';

/** One spelling per path; Express routers do not inherit these settings. */
export function strictRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

type Handlers = RequestHandler | readonly RequestHandler[];
export type Passed = {
  post?: RequestHandler;
  all?: RequestHandler[];
  /** No CORS. */
  ownSite?: boolean;
  /** What reads below an address that is only written to. */
  below?: string | undefined;
};
type Methods = { get?: Handlers; post?: Handlers };

const ALLOWED_HEADERS =
  'X-Agent-Name, X-Board-Source, If-None-Match, Last-Event-ID, Cache-Control';

function refuseMethod(
  req: Request,
  methods: readonly string[],
  template: object,
  below: string | undefined,
): never {
  const allow = methods.join(', ');
  const read = req.method === 'GET' || req.method === 'HEAD';
  const action = read ? asPost(req, template) : meantWrite(req);
  const asQuery =
    req.method === 'POST' ? ' Values go into the address: ?name=value.' : '';
  const meant = action === null ? asQuery : ` To write, POST to ${action.url}.`;
  const there = below ? ` GET ${below.replace(/:(\w+)/g, '<$1>')} reads.` : '';
  throw new BoardError(
    'method_not_allowed',
    `${req.method} is not allowed here; use ${allow}.${methodAdvice(req)}${read ? there : meant}`,
    action === null ? {} : { suggested_action: action },
    { Allow: allow },
  );
}

/**
 * With HEAD, OPTIONS and 405 (spec/board.md §1.7, §1.8). Writes never get CORS.
 * @param passed before POSTs, and before requests of any method
 * @param template a body with placeholders
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
  // Readers of a write path see POST only.
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
    if (reads.length > 0 && !passed.ownSite) {
      res.setHeader('Access-Control-Allow-Origin', '*');
      res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
      res.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    }
    endAnswer(req, res);
  });
  here.all((req) => refuseMethod(req, allowed, template, passed.below));
}
