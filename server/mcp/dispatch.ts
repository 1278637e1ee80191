import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { requestState } from '../http/request-state.js';

export type Request = {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
};
/** Text where a read gives text. */
export type Answer =
  | { status: number; text: string }
  | { status: number; body: Record<string, unknown> };
export type Ask = (request: Request) => Promise<Answer>;

type App = (req: IncomingMessage, res: ServerResponse) => void;

/** Name the client; its network is the connection's. */
const CARRIED = ['x-forwarded-for', 'x-agent-name', 'x-board-source'] as const;
const END_OF_HEAD = '\r\n\r\n';

class InnerSocket extends Duplex {
  readonly chunks: Buffer[] = [];
  /** Byte budgets count by it. */
  bytesWritten = 0;
  constructor(readonly remoteAddress: string | undefined) {
    super();
  }
  override _read(): void {}
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.chunks.push(chunk);
    this.bytesWritten += chunk.length;
    done();
  }
  /** What Node's HTTP needs of a connection. */
  setTimeout(): this {
    return this;
  }
}

/**
 * Sends a request through the app with the same checks and limits as HTTP, as
 * the network of `outer`. HTTP/1.0, so that answers are not chunked. `signal`
 * aborts it. `callOf` names the tool that reads an address.
 */
export function dispatch(
  app: App,
  outer: IncomingMessage,
  { method, path, body }: Request,
  signal: AbortSignal,
  callOf: (url: string) => string | null,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = new InnerSocket(outer.socket.remoteAddress);
    const req = requestOf(socket, outer, method, path, body);
    requestState(req).callOf = callOf;
    const res = new ServerResponse(req);
    const stop = () => socket.destroy();
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    res.once('finish', () => {
      // Otherwise the `close` listener that counts requests never runs.
      setImmediate(() => socket.destroy());
    });
    socket.once('close', () => {
      signal.removeEventListener('abort', stop);
      try {
        resolve(answerOf(res, Buffer.concat(socket.chunks)));
      } catch (error) {
        reject(error);
      }
    });
    res.assignSocket(socket as unknown as Socket);
    app(req, res);
  });
}

function requestOf(
  socket: InnerSocket,
  outer: IncomingMessage,
  method: string,
  path: string,
  body: object | undefined,
): IncomingMessage {
  const req = new IncomingMessage(socket as unknown as Socket);
  req.method = method;
  req.url = path;
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 0;
  req.httpVersion = '1.0';
  set(req, 'host', outer.headers.host);
  set(req, 'user-agent', outer.headers['user-agent']);
  for (const name of CARRIED) set(req, name, outer.headers[name]);
  if (body !== undefined) {
    const bytes = Buffer.from(JSON.stringify(body), 'utf8');
    set(req, 'content-type', 'application/json');
    set(req, 'content-length', String(bytes.length));
    req.push(bytes);
  }
  req.push(null);
  req.complete = true;
  return req;
}

function set(
  req: IncomingMessage,
  name: string,
  value: string | string[] | undefined,
): void {
  if (value === undefined) return;
  req.headers[name] = value;
  for (const one of [value].flat()) req.rawHeaders.push(name, one);
}

function answerOf(res: ServerResponse, bytes: Buffer): Answer {
  const { statusCode: status } = res;
  const head = bytes.indexOf(END_OF_HEAD);
  if (head < 0) throw new Error('the request was given up');
  const text = bytes.toString('utf8', head + END_OF_HEAD.length);
  const type = String(res.getHeader('content-type'));
  if (type.startsWith('text/plain')) return { status, text };
  const body = JSON.parse(text) as Record<string, unknown>;
  return { status, body };
}
