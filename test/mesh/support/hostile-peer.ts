import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestBoard } from '../../support/board.js';
import { type Serving, serving } from '../../support/serving.js';
import type { ScriptedLog } from './scripted-log.js';
import { confirmed, type PeerOptions, type Trust } from './two-boards.js';

export type Asked = {
  path: string;
  query: URLSearchParams;
  req: IncomingMessage;
  res: ServerResponse;
};

/** Answers a request, or leaves it to the honest answer by `false`. */
export type Mode = (asked: Asked) => boolean | Promise<boolean>;

/** Real HTTP; answers from its log unless the mode does something else. */
export class HostilePeer {
  mode: Mode = () => false;
  readonly asked: string[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly server = http.createServer((req, res) => {
    this.answer(req, res).catch(() => res.destroy());
  });
  private serving?: Serving;

  private constructor(public log: ScriptedLog) {}

  static async start(log: ScriptedLog, port = 0): Promise<HostilePeer> {
    const peer = new HostilePeer(log);
    peer.serving = await serving(peer.server, '127.0.0.1', port);
    return peer;
  }

  get url(): string {
    return this.serving?.url ?? '';
  }

  get feeds(): number {
    return this.asked.filter((path) => path.startsWith('/log/feed')).length;
  }

  wake(): void {
    for (const go of this.waiting) go();
    this.waiting.clear();
  }

  hangUp(): void {
    this.server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.wake();
    await this.serving?.stop();
  }

  private async answer(
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    this.asked.push(req.url ?? '');
    const url = new URL(req.url ?? '/', 'http://peer');
    const asked = { path: url.pathname, query: url.searchParams, req, res };
    if (await this.mode(asked)) return;
    const { log } = this;
    if (asked.path === '/log/feed') await this.feed(asked);
    else if (asked.path === '/log/consistency') {
      const from = Number(asked.query.get('from'));
      const to = Number(asked.query.get('to'));
      sendJson(res, { from, to, hashes: log.consistency(from, to) });
    } else if (asked.path === '/log/content') {
      const index = Number(asked.query.get('index'));
      const content = log.contents.get(index);
      if (content === undefined || content === null) {
        sendJson(res, { error: 'content_removed', detail: 'Gone.' }, 410);
      } else sendJson(res, { index, content });
    } else sendJson(res, { error: 'not_found', detail: 'Nothing.' }, 404);
  }

  private async feed({ query, res }: Asked): Promise<void> {
    const from = Number(query.get('from'));
    const wait = Number(query.get('wait') ?? 0);
    if (from === this.log.size && wait > 0) await this.held(res, wait);
    const { log } = this;
    if (from > log.size) {
      const checkpoint = log.head();
      const detail = 'The cursor is ahead of the log.';
      sendJson(res, { error: 'cursor_ahead', detail, checkpoint }, 409);
      return;
    }
    const limit = Number(query.get('limit') ?? 256);
    sendJson(res, log.page(from, limit, query.get('content') ?? 'none'));
  }

  /** Until the test says so, the client goes or the time is over. */
  private async held(res: ServerResponse, seconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const over = () => {
        clearTimeout(timer);
        this.waiting.delete(over);
        resolve();
      };
      const timer = setTimeout(over, seconds * 1000);
      this.waiting.add(over);
      res.once('close', over);
    });
  }
}

export function sendJson(
  res: ServerResponse,
  value: unknown,
  status = 200,
): void {
  res.writeHead(status, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify(value));
}

export async function peerWith(
  at: TestBoard,
  peer: HostilePeer,
  trust: Trust = 'mirror',
  options: PeerOptions = {},
): Promise<number> {
  const { log, url } = peer;
  const { board: name, origin, keys } = log;
  const identity = log.identity(url);
  return await confirmed(at, { name, origin, url, identity, keys }, trust, {
    content: 'all',
    ...options,
  });
}
