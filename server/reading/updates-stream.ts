import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { onOneLine } from '../../protocol/json.js';
import type { Context } from '../context.js';
import { invalid } from '../errors.js';
import type { Hold } from '../http/long-poll.js';
import { requestNetwork } from '../http/network.js';
import { naturalNumber } from '../http/openapi/common.js';
import { pathInteger } from '../http/query.js';
import { costOf, endAnswer } from '../http/send.js';
import type { MessageWaits, Seen, Wanted } from './message-waits.js';

const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 2000;
const READS = 'reads_per_network_minute';

type Paged = { cursor: number; has_more: boolean };

/** Server-sent events. */
export function wantsStream({ headers }: IncomingMessage): boolean {
  const accepted = (headers.accept ?? '').toLowerCase().split(',');
  return accepted.some((range) => {
    const [type = '', ...parameters] = range.split(';');
    const refused = parameters.some((one) => /^\s*q=0(\.0*)?\s*$/.test(one));
    return type.trim() === 'text/event-stream' && !refused;
  });
}

export const RESUMED = {
  'Last-Event-ID': naturalNumber
    .optional()
    .describe('Of an event stream: the cursor to resume from.'),
};

/** How it is described; ends with an ID of examples. */
export const streamOf = (page: object) => ({
  'text/event-stream': {
    description: 'Events whose data is a page.',
    example: `id: 15\ndata: ${JSON.stringify(page)}\n\n`,
  },
});

/** Overrides `since`. */
function resumed(req: Request, since: number): number {
  const header = req.headers['last-event-id'];
  if (header === undefined || header === '') return since;
  const id = pathInteger(header);
  if (id !== null) return id;
  throw invalid(
    'Last-Event-ID',
    'Last-Event-ID must be the id of an earlier event of this stream.',
  );
}

/** `wantedAt`: with a cursor of the stream itself, which is never refused. */
export async function streamPages<P extends Paged>(
  ctx: Context & { waits: MessageWaits },
  req: Request,
  res: Response,
  asked: Wanted<P>,
  wantedAt: (since: number, ahead: () => object) => Wanted<P>,
): Promise<void> {
  const { waits, readLimiter } = ctx;
  const wantedAfter = (since: number) => ({
    ...wantedAt(since, () => ({})),
    key: `stream ${asked.key}`,
  });
  const since = resumed(req, asked.since);
  let wanted = since === asked.since ? asked : wantedAfter(since);
  const network = requestNetwork(req, ctx.trustedProxies);
  const hold = waits.hold(req, res, null);
  const alive = setInterval(() => {
    // Ends for readers that took nothing since the last keep-alive.
    if (res.writableNeedDrain) res.destroy();
    else res.write(': still here\n\n');
  }, KEEP_ALIVE_MS);
  try {
    hold.takePlace();
    let seen: Seen<P> | null = await waits.first(wanted);
    res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    res.setHeader('Cache-Control', 'no-store, no-transform');
    res.setHeader('X-Accel-Buffering', 'no');
    if (req.method === 'HEAD') return endAnswer(req, res);
    res.write(`retry: ${RETRY_MS}\n\n`);
    let bytes = 0;
    let paid = 1;
    let isNew = true;
    while (seen !== null && !hold.over) {
      const { found, page, place }: Seen<P> = seen;
      if (found) {
        const json = JSON.stringify(page);
        bytes += Buffer.byteLength(json);
        // New messages were paid by the wait; older ones cost.
        const due = Math.max(costOf(bytes), isNew ? 1 : paid + 1);
        // Without reads left it ends; the client resumes later.
        if (due > paid && !readLimiter.hasRoom(READS, network)) break;
        readLimiter.add(READS, network, due - paid);
        paid = due;
        await write(res, hold, page.cursor, json);
        wanted = wantedAfter(page.cursor);
      }
      isNew = !page.has_more;
      seen = isNew
        ? await waits.next(hold, wanted, place)
        : await waits.first(wanted);
    }
    if (!res.destroyed) res.end();
  } finally {
    clearInterval(alive);
    hold.release();
  }
}

async function write(
  res: Response,
  hold: Hold,
  cursor: number,
  json: string,
): Promise<void> {
  const data = onOneLine(json);
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
