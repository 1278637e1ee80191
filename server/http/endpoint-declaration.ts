import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { AppContext, Context } from '../context.js';
import type { BudgetCheck, CounterKeys } from '../db/budgets.js';
import type { BoardError } from '../errors.js';
import type { Operation, Setting } from './openapi/operation.js';
import type { ReadPolicy } from './rate-limits/policies.js';
import type { Caching } from './send.js';
import type { ToolPart } from './tool-part.js';

/** What a request brought along, checked, and what a handler may need of it. */
export type Asked<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  /** The network of the client's address; never stored as it is. */
  network(): Uint8Array;
  /** Spends one of the network's; @throws BoardError `rate_limited`. */
  take(limit: ReadPolicy): void;
  /** The limits that its answer reports: what it spends counts them. */
  reported(counters: CounterKeys): BudgetCheck[];
  req: Request;
  res: Response;
  /** For what fails after the handler has returned. */
  next: NextFunction;
};

/** JSON by a declared schema, or a text form of the same. */
export type Reply<A> = Partial<Caching> & {
  /** How many it lists, where `data` does not say. */
  items?: number | undefined;
} & ({ json: A } | { text: string; type?: string });

/** What a handler returns that has sent its answer: a stream, a page. */
export const SENT = null;

export type Handled<A> = Reply<A> | typeof SENT;

/** An answer with a body: its schema, and an example of it. */
type Bodied<A> = { json?: { schema: z.ZodType<A>; example: unknown } };

/** Names of inputs. */
type Names<P> = Extract<keyof P, string>;

/** What reads and writes say alike. */
export type Texts = Pick<
  Operation,
  'id' | 'tag' | 'summary' | 'about' | 'link'
> & {
  description: string | ((setting: Setting) => string);
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
  /** Fields of `query.ts`, in the order in which they are refused. */
  query?: (setting: Setting) => Q;
  answers: (setting: Setting) => Operation['answers'] & { 200?: Bodied<A> };
  cache?: Operation['cache'];
  /** What the answer is before the handler says otherwise; JSON. */
  form?: 'text' | 'html';
  tool?: ToolPart<NoInfer<Names<P> | Names<Q>>>;
  /**
   * Its answer depends on the address and the board's revision alone; asked so
   * often that it comes before all other routes.
   */
  hot?: true;
  /** Where its worst input costs more than a read (spec/board.md §2.21). */
  costs?: Operation['costs'];
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
  body: (setting: Setting) => {
    schema: z.ZodType<B>;
    example: unknown;
    /** With placeholders, for refusals to show; the example without one. */
    template?: object;
  };
  /** The last part of the address of its preview, whose ticket it takes. */
  previewAt?: 'preview' | '/write/preview';
  /** The largest body in bytes, where it is not the board's. */
  bytes?: (setting: Setting) => number;
  tool?: ToolPart<NoInfer<Names<P> | Names<B>>>;
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
  /** The description shows its refused GET, too (spec/board.md §1.8). */
  describesGet?: true;
  /** Its limits are not the caller's own: no RateLimit headers report them. */
  limitsOfOthers?: true;
  /** Taken while the rollback guard closes the log, too. */
  openWithoutLog?: true;
  handle: (
    ctx: AppContext,
  ) => (
    asked: Asked<z.output<z.ZodObject<P>>, undefined, B>,
  ) => Handled<A> | Promise<Handled<A>>;
};
