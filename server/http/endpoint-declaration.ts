import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Context } from '../context.js';
import type { BudgetCheck, CounterKeys } from '../db/budgets.js';
import type { BoardError } from '../errors.js';
import type { Ignored } from './ignored-parameters.js';
import type { Operation, Setting } from './openapi/operation.js';
import type { ReadPolicy } from './rate-limits/policies.js';
import type { Caching } from './send.js';
import type { TextForm } from './text-form.js';
import type { ToolPart } from './tool-part.js';

/** Checked inputs, and what a handler needs of the request. */
export type Asked<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  /** The answer says so, unless the handler sends it itself. */
  ignored: Ignored | null;
  /** Of the client's address; never stored as it is. */
  network(): Uint8Array;
  /** @throws BoardError `rate_limited` */
  take(limit: ReadPolicy): void;
  /** Reported limits; their statement counts them. */
  reported(counters: CounterKeys): BudgetCheck[];
  req: Request;
  res: Response;
  /** For failures after the handler has returned. */
  next: NextFunction;
};

/** JSON by schema, or a text form. */
export type Reply<A> = Partial<Caching> & {
  /** Listed items, where `data` does not say. */
  items?: number | undefined;
  /** Where it took more reads than declared. */
  reads?: number;
} & ({ json: A } | { text: string; type?: string });

/** The handler has sent its answer: a stream, a page. */
export const SENT = null;

export type Handled<A> = Reply<A> | typeof SENT;

/** With an example. */
type Bodied<A> = { json?: { schema: z.ZodType<A>; example: unknown } };

type Names<P> = Extract<keyof P, string>;

export type Texts = Pick<
  Operation,
  'id' | 'tag' | 'summary' | 'about' | 'link'
> & {
  description: string | ((setting: Setting) => string);
  headers?: Operation['headers'];
  errors?: Operation['errors'];
  refusals?: Operation['refusals'];
  /** Limits by name; a read also spends one of its minute. */
  limits?: Operation['spends'];
  /** 404 for parameters that name nothing; goes with `params`. */
  missing?: (ctx: Context) => BoardError;
  /** Run after the headers are set. */
  passes?: (ctx: Context) => readonly RequestHandler[];
};

/** Routes, descriptions and limits derive from it (spec/board.md §1). */
export type ReadDeclaration<
  P extends z.ZodRawShape,
  Q extends z.ZodRawShape,
  A,
  C = Context,
> = Texts & {
  /** In Express's form, `:id` for a parameter. */
  get: string;
  params?: P;
  /** Fields of `query.ts`, in the order of refusal. */
  query?: (setting: Setting) => Q;
  answers: (setting: Setting) => Operation['answers'] & { 200?: Bodied<A> };
  cache?: Operation['cache'];
  /** Of the JSON, by `format=text` (spec/board.md §2.25). */
  text?: TextForm<never>;
  /** Default: JSON. With `text`: always text. */
  form?: 'text' | 'html';
  tool?: ToolPart<NoInfer<Names<P> | Names<Q>>>;
  /** Depends on address and revision only; mounted before all other routes. */
  hot?: true;
  /** Where its worst input costs more than a read (spec/board.md §2.21). */
  costs?: Operation['costs'];
  /** Not for pages of other sites: no CORS, and 403. */
  ownSite?: true;
  /** Spends no read: health and logs. */
  uncounted?: true;
  /**
   * Called once per board; the result once per request. What it needs
   * beside the context is in the type of `ctx`, and `app.ts` has it.
   */
  handle: (
    ctx: C,
  ) => (
    asked: Asked<z.output<z.ZodObject<P>>, z.output<z.ZodObject<Q>>, undefined>,
  ) => Handled<NoInfer<A>> | Promise<Handled<NoInfer<A>>>;
};

/** Like {@link ReadDeclaration}. */
export type WriteDeclaration<
  P extends z.ZodRawShape,
  B,
  A,
  C = Context,
> = Texts & {
  /** In Express's form, `:id` for a parameter. */
  post: string;
  params?: P;
  body: (setting: Setting) => {
    schema: z.ZodType<B>;
    example: unknown;
    /** With placeholders, for refusals. */
    template?: object;
  };
  /** Last part of its preview's address. */
  previewAt?: 'preview' | '/write/preview';
  /** Body limit in bytes, where it differs. */
  bytes?: (setting: Setting) => number;
  tool?: ToolPart<NoInfer<Names<P> | Names<B>>>;
  answers: (setting: Setting) => Operation['answers'] & {
    200?: Bodied<A>;
    201?: Bodied<A>;
    202?: Bodied<A>;
  };
  /** spec/board.md §2.17 */
  counter?: string;
  accepts?: true;
  hot?: true;
  /** The description shows its refused GET, too (spec/board.md §1.8). */
  describesGet?: true;
  /** Not the caller's own limits: no RateLimit headers. */
  limitsOfOthers?: true;
  /** Also while the rollback guard closes the log. */
  openWithoutLog?: true;
  handle: (
    ctx: C,
  ) => (
    asked: Asked<z.output<z.ZodObject<P>>, undefined, B>,
  ) => Handled<A> | Promise<Handled<A>>;
};
