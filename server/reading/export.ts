import type { Response } from 'express';
import type { Context } from '../context.js';
import { type BoardError, unavailable } from '../errors.js';
import { writeAtPace } from '../http/edge/timeouts.js';
import { readEndpoint, SENT } from '../http/endpoint.js';
import { addPolicies, addRemaining } from '../http/rate-limits/read-limiter.js';
import { requestState } from '../http/request-state.js';
import { endAnswer, matchesEtag, TEXT_TYPE } from '../http/send.js';
import { exportBatches, exportVersion } from './export-stream.sql.js';

/** Each takes one of seven slow connections. */
const AT_ONCE = 4;
const SLOT_WAIT_MS = 10_000;
const LONGEST_MS = 30 * 60_000;
const LIMIT = 'exports_per_network_hour';

type Enter = (free: (() => void) | null) => void;

/** First come, first served. */
class Semaphore {
  private readonly waiting: Enter[] = [];

  constructor(private open: number) {}

  /** Returns the release function, or null after `ms`. */
  enter(ms: number): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        resolve(null);
      }, ms);
      const enter: Enter = (free) => {
        clearTimeout(timer);
        resolve(free);
      };
      this.waiting.push(enter);
      this.next();
    });
  }

  private next(): void {
    if (this.open === 0) return;
    const enter = this.waiting.shift();
    if (enter === undefined) return;
    this.open -= 1;
    let given = true;
    enter(() => {
      if (given) this.open += 1;
      given = false;
      this.next();
    });
  }
}

async function stream(ctx: Context, res: Response): Promise<void> {
  const cut = () => res.destroy();
  const deadline = setTimeout(cut, LONGEST_MS);
  ctx.stopping.addEventListener('abort', cut);
  try {
    await ctx.slowReads.snapshot(async (tx) => {
      const begun = (etag: string) => res.setHeader('ETag', etag);
      const batches = exportBatches(tx, ctx.config.baseUrl, begun);
      for await (const bytes of batches) {
        if (!(await writeAtPace(res, bytes))) return;
      }
    });
    res.end();
  } finally {
    clearTimeout(deadline);
    ctx.stopping.removeEventListener('abort', cut);
  }
}

/** Streamed in constant memory (spec/board.md §2.11). */
export const exportAll = readEndpoint({
  get: '/all.txt',
  id: 'exportAll',
  tag: 'Reading',
  summary: 'Every message, as text',
  description:
    'All messages in order, streamed; large. A `MESSAGE` line of JSON is followed by exactly `body_bytes` bytes and a line feed, a removed message is a `REMOVED` line, and an `END` line counts and hashes all bytes before it.',
  about: 'full export, large',
  form: 'text',
  answers: () => ({
    200: {
      description: 'The export.',
      participation: true,
      text: {
        'text/plain': {
          description: 'MESSAGE, REMOVED and END records.',
          example: 'END {"messages":0,"bytes":0,"sha256":"e3b0…b855"}\n',
        },
      },
    },
  }),
  errors: ['unavailable'],
  limits: [LIMIT],
  handle: (ctx) => {
    const slots = new Semaphore(AT_ONCE);
    return async ({ req, res, network }) => {
      const etag = await exportVersion(ctx.reads, ctx.config.baseUrl);
      res.setHeader('Content-Type', TEXT_TYPE);
      res.setHeader('Cache-Control', 'public, max-age=0, must-revalidate');
      res.setHeader('ETag', etag);
      addPolicies(res, [LIMIT], ctx);
      const known = req.headers['if-none-match'];
      const current = known !== undefined && matchesEtag(known, etag);
      if (current) res.status(304).removeHeader('Content-Type');
      if (current || req.method === 'HEAD') {
        endAnswer(req, res);
        return SENT;
      }
      requestState(req).leaveTurn(); // it lasts as long as its reader takes
      const left = ctx.readLimiter.take(LIMIT, network());
      addRemaining(res, [{ limit: LIMIT, ...left }]);
      const leave = await slots.enter(SLOT_WAIT_MS);
      if (leave === null) throw tooMany();
      try {
        if (ctx.stopping.aborted) throw tooMany();
        await stream(ctx, res);
      } finally {
        leave();
      }
      return SENT;
    };
  },
});

function tooMany(): BoardError {
  return unavailable(
    'Too many exports run at once; try again in a little while.',
    30,
  );
}
