import type { IRouter, Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import type { LimitName } from '../limits.js';
import { crossSite, jsonBody } from './body/json-body.js';
import { parseStep } from './body/parse-step.js';
import {
  type Asked,
  type Handled,
  type ReadDeclaration,
  type Reply,
  SENT,
  type Texts,
  type WriteDeclaration,
} from './endpoint-declaration.js';
import { offerToCache } from './fast/response-cache.js';
import { requestNetwork } from './network.js';
import {
  get as describedRead,
  uncounted as describedUncounted,
  post as describedWrite,
  type Operation,
  refusedGet,
  type Setting,
} from './openapi/operation.js';
import { parseQuery } from './query.js';
import { countRefusals, takeRead } from './rate-limits/read-limiter.js';
import { addWriteLimits, reportedChecks } from './rate-limits/write-limits.js';
import { requestState } from './request-state.js';
import { type Passed, route } from './route.js';
import {
  costOfList,
  htmlHeaders,
  jsonHeaders,
  sendJson,
  sendText,
  setHeaders,
  textHeaders,
} from './send.js';

export { SENT } from './endpoint-declaration.js';
export type { Setting };

/** Routes, descriptions and counters derive from it. */
export type Endpoint<C = Context> = {
  method: 'get' | 'post';
  path: string;
  limits: Operation['spends'];
  /** Mounted before all other routes. */
  isHot: boolean;
  counter: string | null;
  accepts: boolean;
  openWithoutLog: boolean;
  /** With placeholders; empty for reads. */
  template(setting: Setting): object;
  /** For the machine description. */
  operations(setting: Setting): Operation[];
  handlers: (ctx: C) => RequestHandler[];
};

export function readEndpoint<
  P extends z.ZodRawShape,
  Q extends z.ZodRawShape,
  A,
  C extends Context = Context,
>(it: ReadDeclaration<P, Q, A, C>): Endpoint<C> {
  const described = it.uncounted ? describedUncounted : describedRead;
  return {
    ...flagsOf(it),
    method: 'get',
    path: it.get,
    isHot: it.hot ?? false,
    operations: (setting) => [
      described({
        ...operationOf(it, it.get, setting),
        query: (it.query?.(setting) ?? {}) as Operation['query'],
        cache: it.cache ?? 'revalidate',
        ...(it.costs === undefined ? {} : { costs: it.costs }),
      }),
    ],
    handlers: (ctx) => {
      const query = z.object(it.query?.(settingOf(ctx)) ?? ({} as Q));
      const handle = it.handle(ctx);
      const last = handler(
        ctx,
        it,
        (req) => {
          const asked = parseQuery(query, req.originalUrl);
          // HEAD has no body to wait for.
          if (req.method === 'HEAD' && 'wait' in asked) {
            Object.assign(asked, { wait: 0 });
          }
          return { query: asked, body: undefined };
        },
        handle,
        it.cache ?? 'revalidate',
        [],
        it.costs,
      );
      return [
        HEADERS[it.form ?? 'json'](),
        ...(it.passes?.(ctx) ?? []),
        ...(it.hot && ctx.responseCache !== null
          ? [offerToCache(ctx.responseCache)]
          : []),
        last,
      ];
    },
  };
}

/** Strict JSON (spec/board.md §1.6). */
export function writeEndpoint<
  P extends z.ZodRawShape,
  B,
  A,
  C extends Context = Context,
>(it: WriteDeclaration<P, B, A, C>): Endpoint<C> {
  return {
    ...flagsOf(it),
    method: 'post',
    path: it.post,
    isHot: it.hot ?? false,
    counter: it.counter ?? null,
    accepts: it.accepts ?? false,
    openWithoutLog: it.openWithoutLog ?? false,
    template: (setting) => templateOf(it.body(setting)),
    operations: (setting) => {
      const { schema, example } = it.body(setting);
      const body = { schema, example };
      const { openWithoutLog = false } = it;
      const write = describedWrite(
        { ...operationOf(it, it.post, setting), body },
        { openWithoutLog },
      );
      return it.describesGet ? [write, refusedGet(write)] : [write];
    },
    handlers: (ctx) => {
      const setting = settingOf(ctx);
      const body = it.body(setting);
      const { schema } = body;
      const bytes = it.bytes?.(setting) ?? ctx.limits.request_bytes;
      return [
        jsonHeaders(),
        crossSite(ctx.config.baseUrl),
        ...(it.passes?.(ctx) ?? []),
        jsonBody(bytes, templateOf(body)),
        handler(
          ctx,
          it,
          (req) => ({
            query: undefined,
            body: parseStep(schema, req, it.previewAt),
          }),
          it.handle(ctx),
          'no-store',
          it.limitsOfOthers ? [] : it.limits,
        ),
      ];
    },
  };
}

function templateOf(body: { example: unknown; template?: object }): object {
  return body.template ?? Object(body.example);
}

/**
 * With HEAD, OPTIONS and 405 (spec/board.md §1.7, §1.8).
 * @param passed before POSTs, and before requests of any method
 */
export function mount<C extends Context>(
  router: IRouter,
  ctx: C,
  endpoints: readonly Endpoint<NoInfer<C>>[],
  passed?: Passed,
): void {
  const setting = settingOf(ctx);
  for (const { method, path, handlers, template, limits } of endpoints) {
    const methods = { [method]: handlers(ctx) };
    // Some writes count as reads, a limit of their own.
    const isRead = method === 'get' || limits.includes(READS);
    const own = method === 'get' ? ['GET', 'HEAD'] : ['POST'];
    const refusals = countRefusals(ctx, isRead ? own : []);
    const all = [refusals, ...(passed?.all ?? [])];
    route(router, path, methods, { ...passed, all }, template(setting));
  }
}

function itemsOf<A>(reply: Reply<A>): number {
  const data = 'json' in reply ? Object(reply.json).data : undefined;
  return reply.items ?? (Array.isArray(data) ? data.length : 0);
}

const READS = 'reads_per_network_minute';
const HEADERS = { json: jsonHeaders, text: textHeaders, html: htmlHeaders };

function settingOf({ limits, config }: Context): Setting {
  return { limits, baseUrl: config.baseUrl };
}

function flagsOf(it: Texts) {
  return {
    limits: it.limits ?? [],
    isHot: false,
    counter: null as string | null,
    accepts: false,
    openWithoutLog: false,
    template: () => ({}),
  };
}

function operationOf(
  it: Texts & {
    params?: z.ZodRawShape;
    answers: (setting: Setting) => Operation['answers'];
    tool?: Operation['tool'];
  },
  path: string,
  setting: Setting,
) {
  const { about, link, description, headers, errors, refusals, tool } = it;
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
    ...(about === undefined ? {} : { about }),
    ...(link === undefined ? {} : { link }),
    ...(headers === undefined ? {} : { headers }),
    ...(errors === undefined ? {} : { errors }),
    ...(refusals === undefined ? {} : { refusals }),
    ...(tool === undefined ? {} : { tool }),
  };
}

/**
 * Checks inputs before the path: 400 before 404.
 * @param reported limits whose rest the answer reports
 */
function handler<P extends z.ZodRawShape, Q, B, A>(
  ctx: Context,
  it: Texts & { params?: P },
  inputs: (req: Request) => { query: Q; body: B },
  handle: (
    asked: Asked<z.output<z.ZodObject<P>>, Q, B>,
  ) => Handled<A> | Promise<Handled<A>>,
  cache: Operation['cache'],
  reported: readonly LimitName[] = [],
  { reads = 1, items_per_read: each }: Operation['costs'] = {},
): RequestHandler {
  const params = z.object(it.params ?? ({} as P));
  const missing =
    it.missing ?? (() => new BoardError('not_found', 'Nothing is here.'));
  return async (req, res, next) => {
    const given = inputs(req);
    const named = params.safeParse(req.params);
    if (!named.success) throw missing(ctx);
    const network = () => {
      requestState(req).isCharged = true; // what asks for it counts by it
      return requestNetwork(req, ctx.trustedProxies);
    };
    const reply = await handle({
      ...given,
      params: named.data,
      network,
      take: (limit) => takeRead(ctx, res, limit, network()),
      reported: (counters) => reportedChecks(ctx.limits, reported, counters),
      req,
      res,
      next,
    });
    if (reply === SENT || res.destroyed) return;
    const items = each === undefined ? 0 : costOfList(itemsOf(reply));
    requestState(req).cost = Math.max(reads, items);
    if (reported.length > 0 && (reply.status ?? 200) < 300) {
      await addWriteLimits(ctx, req, res, reported);
      if (res.destroyed) return;
    }
    if ('text' in reply) {
      setHeaders(req, res, 'text');
      sendText(req, res, reply.text, { cache, ...reply });
    } else {
      sendJson(req, res, reply.json, { cache, ...reply });
    }
  };
}
