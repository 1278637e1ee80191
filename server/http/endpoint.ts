import type { IRouter, Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { AppContext, Context } from '../context.js';
import { BoardError } from '../errors.js';
import { jsonBody } from './body/json-body.js';
import { parseBody } from './body/validate.js';
import { sendJson, sendText } from './conditional.js';
import { crossSite } from './cross-site.js';
import {
  type Asked,
  type Handled,
  type ReadDeclaration,
  SENT,
  type Texts,
  type WriteDeclaration,
} from './endpoint-declaration.js';
import { offerToKeep } from './fast/response-cache.js';
import {
  htmlHeaders,
  jsonHeaders,
  setHeaders,
  textHeaders,
} from './headers.js';
import {
  get as describedRead,
  uncounted as describedUncounted,
  post as describedWrite,
  type Operation,
  type Setting,
} from './openapi/operation.js';
import { parseQuery } from './query-fields.js';
import { rateLimitsOfWrites } from './rate-limits/headers-of-writes.js';
import { takeRead } from './rate-limits/take-read.js';
import { requestNetwork } from './request-network.js';
import { route } from './route.js';

export { SENT } from './endpoint-declaration.js';
export type { Setting };

/** What routes, descriptions and counters are made of. */
export type Endpoint = {
  method: 'get' | 'post';
  /** As Express writes it. */
  path: string;
  about: string | null;
  limits: Operation['spends'];
  /** Mounted before all other routes. */
  isHot: boolean;
  counter: string | null;
  accepts: boolean;
  openWithoutLog: boolean;
  /** What the machine description says of it on a board. */
  operation(setting: Setting): Operation;
  /** Its handlers on a board, the first that runs first. */
  handlers(ctx: AppContext): RequestHandler[];
};

/** Declares a read. */
export function readEndpoint<
  P extends z.ZodRawShape,
  Q extends z.ZodRawShape,
  A,
>(it: ReadDeclaration<P, Q, A>): Endpoint {
  const described = it.uncounted ? describedUncounted : describedRead;
  return {
    ...said(it),
    method: 'get',
    path: it.get,
    isHot: it.hot ?? false,
    operation: (setting) =>
      described({
        ...operationOf(it, it.get, setting),
        query: (it.query?.(setting) ?? {}) as Operation['query'],
        cache: it.cache ?? 'revalidate',
      }),
    handlers: (ctx) => {
      const query = z.object(it.query?.(settingOf(ctx)) ?? ({} as Q));
      const handle = it.handle(ctx);
      const last = handler(
        ctx,
        it,
        (req) => ({
          query: parseQuery(query, req.originalUrl),
          body: undefined,
        }),
        handle,
        it.cache ?? 'revalidate',
      );
      return [
        DRESSED[it.form ?? 'json'](),
        ...(it.passes?.(ctx) ?? []),
        ...(it.hot ? [offerToKeep(ctx.keptAnswers)] : []),
        last,
      ];
    },
  };
}

/** Declares a write; its body is strict JSON (spec/board.md §1.6). */
export function writeEndpoint<P extends z.ZodRawShape, B, A>(
  it: WriteDeclaration<P, B, A>,
): Endpoint {
  return {
    ...said(it),
    method: 'post',
    path: it.post,
    isHot: it.hot ?? false,
    counter: it.counter ?? null,
    accepts: it.accepts ?? false,
    openWithoutLog: it.openWithoutLog ?? false,
    operation: (setting) =>
      describedWrite(
        {
          ...operationOf(it, it.post, setting),
          body: it.body(setting),
        },
        { openWithoutLog: it.openWithoutLog ?? false },
      ),
    handlers: (ctx) => {
      const setting = settingOf(ctx);
      const { schema } = it.body(setting);
      const bytes = it.bytes?.(setting) ?? ctx.limits.request_bytes;
      return [
        ...(it.limitsOfOthers ? [] : rateLimitsOfWrites(ctx, it.limits ?? [])),
        jsonHeaders(),
        crossSite(ctx.config.baseUrl),
        ...(it.passes?.(ctx) ?? []),
        jsonBody(bytes),
        handler(
          ctx,
          it,
          (req) => ({
            query: undefined,
            body: parseBody(schema, req.body),
          }),
          it.handle(ctx),
          'no-store',
        ),
      ];
    },
  };
}

/** Mounts endpoints: HEAD, OPTIONS and 405 follow (spec/board.md §1.7, §1.8). */
export function mount(
  router: IRouter,
  ctx: AppContext,
  endpoints: readonly Endpoint[],
): void {
  for (const { method, path, handlers } of endpoints) {
    route(router, path, { [method]: handlers(ctx) });
  }
}

const DRESSED = { json: jsonHeaders, text: textHeaders, html: htmlHeaders };

function settingOf({ limits, config }: Context): Setting {
  return { limits, baseUrl: config.baseUrl };
}

function said(it: Texts) {
  return {
    about: it.about ?? null,
    limits: it.limits ?? [],
    isHot: false,
    counter: null as string | null,
    accepts: false,
    openWithoutLog: false,
  };
}

/** What reads and writes are described with alike. */
function operationOf(
  it: Texts & {
    params?: z.ZodRawShape;
    answers: (setting: Setting) => Operation['answers'];
  },
  path: string,
  setting: Setting,
) {
  const { description, headers, errors, refusals } = it;
  return {
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    id: it.id,
    tag: it.tag,
    summary: it.summary,
    description:
      typeof description === 'string' ? description : description(setting),
    params: (it.params ?? {}) as Operation['params'],
    answers: it.answers(setting),
    spends: it.limits ?? [],
    ...(headers === undefined ? {} : { headers }),
    ...(errors === undefined ? {} : { errors }),
    ...(refusals === undefined ? {} : { refusals }),
  };
}

/** Checks inputs before the path: a 400 comes before a 404. */
function handler<P extends z.ZodRawShape, Q, B, A>(
  ctx: Context,
  it: Texts & { params?: P },
  inputs: (req: Request) => { query: Q; body: B },
  handle: (
    asked: Asked<z.output<z.ZodObject<P>>, Q, B>,
  ) => Handled<A> | Promise<Handled<A>>,
  cache: Operation['cache'],
): RequestHandler {
  const params = z.object(it.params ?? ({} as P));
  const missing =
    it.missing ?? (() => new BoardError('not_found', 'Nothing is here.'));
  return async (req, res, next) => {
    const given = inputs(req);
    const named = params.safeParse(req.params);
    if (!named.success) throw missing(ctx);
    const network = () => requestNetwork(req, ctx.trustedProxies);
    const reply = await handle({
      ...given,
      params: named.data,
      network,
      take: (limit) => takeRead(ctx, res, limit, network()),
      req,
      res,
      next,
    });
    if (reply === SENT || res.destroyed) return;
    if ('text' in reply) {
      setHeaders(req, res, 'text');
      sendText(req, res, reply.text, { cache, ...reply });
    } else {
      sendJson(req, res, reply.json, { cache, ...reply });
    }
  };
}
