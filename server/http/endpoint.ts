import type {
  IRouter,
  NextFunction,
  Request,
  RequestHandler,
  Response,
} from 'express';
import { z } from 'zod';
import type { AppContext, Context } from '../context.js';
import { BoardError } from '../errors.js';
import {
  get as describedRead,
  uncounted as describedUncounted,
  post as describedWrite,
  type Operation,
  type Setting,
} from '../openapi/operation.js';
import { type Caching, sendJson, sendText } from './conditional.js';
import { crossSite } from './cross-site.js';
import {
  htmlHeaders,
  jsonHeaders,
  setHeaders,
  textHeaders,
} from './headers.js';
import { jsonBody } from './json-body.js';
import { offerToKeep } from './kept-answers.js';
import { route } from './options.js';
import { parseQuery } from './query-fields.js';
import { rateLimitsOfWrites } from './rate-limit-headers-of-writes.js';
import { requestNetwork } from './request-network.js';
import { type ReadPolicy, takeRead } from './take-read.js';
import { parseBody } from './validate.js';

/** What a request brought along, checked, and what a handler may need of it. */
export type Asked<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  /** The network of the client's address; never stored as it is. */
  network(): Uint8Array;
  /** Spends one of the network's; @throws BoardError `rate_limited`. */
  take(limit: ReadPolicy): void;
  req: Request;
  res: Response;
  /** For what fails after the handler has returned. */
  next: NextFunction;
};

/** JSON by a declared schema, or a text form of the same. */
export type Reply<A> = Partial<Caching> &
  ({ json: A } | { text: string; type?: string });

/** What a handler returns that has sent its answer: a stream, a page. */
export const SENT = null;

type Handled<A> = Reply<A> | typeof SENT;

/** An answer with a body: its schema, and an example of it. */
type Bodied<A> = { json?: { schema: z.ZodType<A>; example: unknown } };

export type { Setting };

type Texts = Pick<Operation, 'id' | 'tag' | 'summary'> & {
  description: string | ((setting: Setting) => string);
  /** One line for the lists of addresses; not listed without it. */
  about?: string;
  headers?: Operation['headers'];
  errors?: Operation['errors'];
  refusals?: Operation['refusals'];
  /** Limits that it may meet, by name; a read also spends one of its minute. */
  limits?: Operation['spends'];
  /** The 404 of a path whose parameters name nothing; goes with `params`. */
  missing?: (ctx: Context) => BoardError;
  /** Handlers that its requests pass after its headers are set. */
  passes?: (ctx: Context) => readonly RequestHandler[];
};

/**
 * One read, said once: path, inputs, answers, errors, limits, cache, texts and
 * handler. Routes, the machine description, RateLimit headers and the lists of
 * addresses in the documents are made of it (spec/board.md §1).
 */
export type ReadDeclaration<
  P extends z.ZodRawShape,
  Q extends z.ZodRawShape,
  A,
> = Texts & {
  /** As Express writes it, `:id` for a parameter. */
  get: string;
  params?: P;
  /** Fields of `query-fields.ts`, in the order in which they are refused. */
  query?: (setting: Setting) => Q;
  answers: (setting: Setting) => Operation['answers'] & { 200?: Bodied<A> };
  cache?: Operation['cache'];
  /** What the answer is before the handler says otherwise; JSON. */
  form?: 'text' | 'html';
  /**
   * Its answer depends on the address and the board's revision alone; asked so
   * often that it comes before all other routes.
   */
  hot?: true;
  /** Spends no read of the minute: health and logs. */
  uncounted?: true;
  /** Called once for each board; the result once for each request. */
  handle: (
    ctx: AppContext,
  ) => (
    asked: Asked<z.output<z.ZodObject<P>>, z.output<z.ZodObject<Q>>, undefined>,
  ) => Handled<NoInfer<A>> | Promise<Handled<NoInfer<A>>>;
};

/** One write, said once. */
export type WriteDeclaration<P extends z.ZodRawShape, B, A> = Texts & {
  /** As Express writes it, `:id` for a parameter. */
  post: string;
  params?: P;
  body: (setting: Setting) => { schema: z.ZodType<B>; example: unknown };
  /** The largest body in bytes, where it is not the board's. */
  bytes?: (setting: Setting) => number;
  answers: (setting: Setting) => Operation['answers'] & {
    200?: Bodied<A>;
    201?: Bodied<A>;
    202?: Bodied<A>;
  };
  /** The public name of its counter (spec/board.md §2.17). */
  counter?: string;
  /** A 201 makes the network a writer. */
  accepts?: true;
  /** Asked so often that it comes before all other routes. */
  hot?: true;
  /** Its limits are not the caller's own: no RateLimit headers tell of them. */
  limitsOfOthers?: true;
  /** Taken while the rollback guard closes the log, too. */
  openWithoutLog?: true;
  handle: (
    ctx: AppContext,
  ) => (
    asked: Asked<z.output<z.ZodObject<P>>, undefined, B>,
  ) => Handled<A> | Promise<Handled<A>>;
};

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
