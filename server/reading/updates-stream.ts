import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { onOneLine } from '../../protocol/json.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import type { Hold, LongPoll } from '../http/long-poll.js';
import { requestNetwork } from '../http/network.js';
import { pathInteger } from '../http/query.js';
import { requestState } from '../http/request-state.js';
import { costOf, endAnswer } from '../http/send.js';
import type { SharedReads } from './shared-reads.js';
import {
  answerFrom,
  type UpdatesAnswer,
  type UpdatesOptions,
} from './updates-answer.js';

const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 2000;
const READS = 'reads_per_network_minute';

type Streaming = {
  held: LongPoll;
  shared: SharedReads<UpdatesAnswer>;
};

/** Server-sent events. */
export function wantsStream({ headers }: IncomingMessage): boolean {
  const accepted = (headers.accept ?? '').toLowerCase().split(',');
  return accepted.some((range) => {
    const [type = '', ...parameters] = range.split(';');
    const refused = parameters.some((one) => /^\s*q=0(\.0*)?\s*$/.test(one));
    return type.trim() === 'text/event-stream' && !refused;
  });
}

/** Overrides `since`. */
function resumed(req: Request, since: number): number {
  const header = req.headers['last-event-id'];
  if (header === undefined || header === '') return since;
  const id = pathInteger(header);
  if (id !== null) return id;
  throw new BoardError(
    'invalid_input',
    'Last-Event-ID must be the id of an earlier event of this stream.',
    { field: 'Last-Event-ID' },
  );
}

export async function streamUpdates(
  ctx: Context,
  req: Request,
  res: Response,
  options: UpdatesOptions,
  { held, shared }: Streaming,
): Promise<void> {
  const since = resumed(req, options.since);
  const network = requestNetwork(req, ctx.trustedProxies);
  requestState(req).leaveTurn();
  ctx.readLimiter.enterWait(network);
  const hold = held.hold(res);
  const alive = setInterval(() => keepAlive(res), KEEP_ALIVE_MS);
  try {
    res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    res.setHeader('Cache-Control', 'no-store, no-transform');
    res.setHeader('X-Accel-Buffering', 'no');
    if (req.method === 'HEAD') return endAnswer(req, res);
    res.write(`retry: ${RETRY_MS}\n\n`);
    let from = since;
    let bytes = 0;
    let paid = 1;
    let isNew = true;
    while (!hold.over) {
      const { woken } = hold.subscribe();
      const position = { ...options, since: from };
      const page = await shared.get(`${from} stream ${options.key}`, () =>
        answerFrom(ctx, position, from),
      );
      from = page.found ? page.cursor : Math.max(from, page.newest);
      if (page.found && !hold.over) {
        bytes += page.json.length;
        // New messages were paid by the wait; older ones cost.
        const due = Math.max(costOf(bytes), isNew ? 1 : paid + 1);
        // Without reads left it ends; the client resumes later.
        if (due > paid && !ctx.readLimiter.hasRoom(READS, network)) break;
        ctx.readLimiter.add(READS, network, due - paid);
        paid = due;
        isNew = false;
        await write(res, hold, page.cursor, page.json);
      } else if (!hold.over) {
        await woken;
        isNew = true;
      }
    }
    if (!res.destroyed) res.end();
  } finally {
    clearInterval(alive);
    hold.release();
    ctx.readLimiter.leaveWait(network);
  }
}

/** Ends for readers that took nothing since the last keep-alive. */
function keepAlive(res: Response): void {
  if (res.writableNeedDrain) res.destroy();
  else res.write(': still here\n\n');
}

async function write(
  res: Response,
  hold: Hold,
  cursor: number,
  json: Buffer,
): Promise<void> {
  const data = onOneLine(json.toString('utf8'));
  if (res.write(`id: ${cursor}\ndata: ${data}\n\n`)) return;
  await new Promise<void>((resolve) => {
    const settle = () => {
      res.off('drain', settle).off('close', settle);
      resolve();
    };
    res.on('drain', settle).on('close', settle);
    if (hold.over) settle();
  });
}
