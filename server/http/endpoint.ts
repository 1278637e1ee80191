import type { IRouter, Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import type { LimitName } from '../limits.js';
import { plainUuid } from './body/guess.js';
import { crossSite, jsonBody, ownSiteOnly } from './body/json-body.js';
import { stepFault } from './body/step-fault.js';
import { parseBody } from './body/validate.js';
import {
  type Asked,
  type Handled,
  type ReadDeclaration,
  type Reply,
  SENT,
  type Texts,
  type WriteDeclaration,
} from './endpoint-declaration.js';
import {
  type Ignored,
  ignoredOf,
  textWithIgnored,
  withIgnored,
} from './ignored-parameters.js';
import { requestNetwork } from './network.js';
import {
  get as describedRead,
  uncounted as describedUncounted,
  post as describedWrite,
  type Operation,
  refusedGet,
  type Setting,
} from './openapi/operation.js';
import { textFormat } from './openapi/parameters.js';
import { baseUrlOf } from './post-action.js';
import { parseQuery } from './query.js';
import { isCounted } from './rate-limits/policies.js';
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
import { inText, LEAN, type TextHow } from './text-form.js';

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
  ownSite: boolean;
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
  const isText = it.form === 'text';
  const queryOf = (setting: Setting) => ({
    ...(it.text === undefined || isText ? {} : { format: textFormat }),
    ...(it.query?.(setting) ?? ({} as Q)),
  });
  return {
    ...flagsOf(it),
    method: 'get',
    path: it.get,
    isHot: it.hot ?? false,
    ownSite: it.ownSite ?? false,
    operations: (setting) => [
      described({
        ...operationOf(it, it.get, setting),
        answers: readAnswers(it, setting),
        query: queryOf(setting) as unknown as Operation['query'],
        cache: it.cache ?? 'revalidate',
        ...(it.costs === undefined ? {} : { costs: it.costs }),
      }),
    ],
    handlers: (ctx) => {
      const query = z.object(queryOf(settingOf(ctx)) as unknown as Q);
      const handle = it.handle(ctx);
      const isOwn = !it.get.startsWith('/api/mesh');
      const last = handler(
        ctx,
        it,
        (req) => {
          const asked = parseQuery(query, req.originalUrl);
          // HEAD has no body to wait for.
          if (req.method === 'HEAD' && 'wait' in asked) {
            Object.assign(asked, { wait: 0 });
          }
          const mayIgnore = isOwn && req.originalUrl.includes('?');
          const ignored = mayIgnore
            ? ignoredOf(
                req.originalUrl,
                Object.keys(query.shape),
                (name) =>
                  Object.hasOwn(asked, name) &&
                  (asked as Record<string, unknown>)[name] !== undefined,
              )
            : null;
          return { query: asked, body: undefined, ignored };
        },
        handle,
        it.cache ?? 'revalidate',
        [],
        it,
      );
      return [HEADERS[it.form ?? 'json'](), ...(it.passes?.(ctx) ?? []), last];
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
          (req) => {
            try {
              const sent = parseBody(schema, req.body);
              return { query: undefined, body: sent, ignored: null };
            } catch (error) {
              throw stepFault(error, req, it.previewAt, templateOf(body));
            }
          },
          it.handle(ctx),
          'no-store',
          it.limitsOfOthers ? [] : it.limits,
        ),
      ];
    },
  };
}

const TEXT = 'Header lines, fenced bodies.';

/** Text forms are described by the example of the JSON. */
function readAnswers<
  P extends z.ZodRawShape,
  Q extends z.ZodRawShape,
  A,
  C extends Context,
>(
  { text: form, answers, ...it }: ReadDeclaration<P, Q, A, C>,
  setting: Setting,
): Operation['answers'] {
  const given = answers(setting);
  const { 200: answer } = given;
  if (form === undefined || answer?.json === undefined) return given;
  const { json, ...rest } = answer;
  const whole = form(json.example as never, inText(false)).replace(LEAN, '');
  // As that of the board's own read.
  const example =
    it.tag === 'Mesh' ? (/END .*\n$/.exec(whole)?.[0] ?? '') : whole;
  const text = {
    ...rest.text,
    'text/plain': { description: TEXT, example },
  };
  const shown = { ...rest, participation: true as const, text };
  return { ...given, 200: it.form === 'text' ? shown : { ...shown, json } };
}

/** For HTTP or, of a tool's call, for MCP. */
export function textHow(req: Request, full: boolean): TextHow {
  const { callOf } = requestState(req);
  const how = inText(full);
  return callOf === null ? how : { ...how, ofTools: true, link: callOf };
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
  for (const one of endpoints) {
    const { method, path, handlers, template, limits, ownSite } = one;
    const methods = { [method]: handlers(ctx) };
    // Some writes count as reads, a limit of their own.
    const isRead = method === 'get' || limits.includes(READS);
    const own = method === 'get' ? ['GET', 'HEAD'] : ['POST'];
    const refusals = countRefusals(ctx, isRead ? own : []);
    const closed = ownSite ? [ownSiteOnly()] : [];
    const all = [...closed, refusals, ...(passed?.all ?? [])];
    const below = endpoints.find(
      (it) => it.method === 'get' && it.path.startsWith(`${path}/:`),
    )?.path;
    const more = { ...passed, all, ownSite, below };
    route(router, path, methods, more, template(setting));
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
    ownSite: false,
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

/** Says how a UUID is written. */
function rewritten(error: BoardError, req: Request): BoardError {
  const uuid = plainUuid(req.params.uuid);
  if (uuid === null) return error;
  const url = baseUrlOf(req) + req.path.replace(/[^/]+\/?$/, uuid);
  return new BoardError(error.code, `UUIDs have another form: GET ${url}`);
}

/**
 * Checks inputs before the path: 400 before 404.
 * @param limits whose rest the answer reports
 */
function handler<P extends z.ZodRawShape, Q, B, A>(
  ctx: Context,
  it: Texts & { params?: P },
  inputs: (req: Request) => { query: Q; body: B; ignored: Ignored | null },
  handle: (
    asked: Asked<z.output<z.ZodObject<P>>, Q, B>,
  ) => Handled<A> | Promise<Handled<A>>,
  cache: Operation['cache'],
  limits: readonly LimitName[] = [],
  read: Pick<
    ReadDeclaration<P, z.ZodRawShape, A>,
    'costs' | 'text' | 'form'
  > = {},
): RequestHandler {
  const { reads = 1, items_per_read: each } = read.costs ?? {};
  const reported = limits.filter(isCounted);
  const params = z.object(it.params ?? ({} as P));
  const asText = (req: Request, query: unknown, reply: { json: A }) => {
    const { format, full } = Object(query);
    const isText = format === 'text' || read.form === 'text';
    if (read.text === undefined || !isText) return undefined;
    return read.text(reply.json as never, textHow(req, full === '1'));
  };
  const missing =
    it.missing ?? (() => new BoardError('not_found', 'Nothing is here.'));
  return async (req, res, next) => {
    const { query, body, ignored } = inputs(req);
    const named = params.safeParse(req.params);
    if (!named.success) throw rewritten(missing(ctx), req);
    // Those that wait keep no frame of it, nor, as nothing is spread, a hidden class of their own.
    const begin = () => {
      const network = () => {
        requestState(req).isCharged = true; // what asks for it counts by it
        return requestNetwork(req, ctx.trustedProxies);
      };
      return handle({
        query,
        body,
        ignored,
        params: named.data,
        network,
        take: (limit) => takeRead(ctx, res, limit, network()),
        reported: (counters) => reportedChecks(ctx.limits, reported, counters),
        req,
        res,
        next,
      });
    };
    const reply = await begin();
    if (reply === SENT || res.destroyed) return;
    const items = each === undefined ? 0 : costOfList(itemsOf(reply));
    requestState(req).cost = Math.max(reads, items, reply.reads ?? 0);
    if (limits.length > 0 && (reply.status ?? 200) < 300) {
      await addWriteLimits(ctx, req, res, reported);
      if (res.destroyed) return;
    }
    const text = 'text' in reply ? reply.text : asText(req, query, reply);
    if (text !== undefined) {
      const all = ignored ? textWithIgnored(text, ignored) : text;
      setHeaders(req, res, 'text');
      sendText(req, res, all, { cache, ...reply });
    } else if ('json' in reply) {
      const json = ignored ? withIgnored(reply.json, ignored) : reply.json;
      sendJson(req, res, json, { cache, ...reply });
    }
  };
}
