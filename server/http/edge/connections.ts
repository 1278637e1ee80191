import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BoardError } from '../../errors.js';
import { isProxy, networkOf, type TrustedProxies } from '../network.js';
import {
  connectionState,
  hasTooManyHeaders,
  type OpenSockets,
  type Waiting,
} from '../request-state.js';
import { headersTooLarge, refuseConnection } from './client-error.js';

/** Per waiting place: 512 by default (spec/operators.md §R6.1). */
const PER_WAIT = 8;
const LEAST = 512;

/** Grows with `waits_per_network`. A trusted proxy bounds its own. */
export function limitConnections(
  server: Server,
  options: { trusted: TrustedProxies; waitsPerNetwork: number },
): void {
  const most = Math.max(LEAST, options.waitsPerNetwork * PER_WAIT);
  const open = new Map<string, OpenSockets>();
  // Shared: thousands may be open.
  function closed(this: Socket): void {
    const { counted } = connectionState(this);
    if (!counted) return;
    counted.sockets -= 1;
    if (counted.sockets === 0) open.delete(counted.network);
  }
  server.on('connection', (socket: Socket) => {
    const state = connectionState(socket);
    // An upgrade that was put back comes again.
    if (state.counted !== undefined) return;
    state.counted = null;
    const network = nameOf(socket, options.trusted);
    if (network === null) return;
    const own = open.get(network) ?? { network, sockets: 0 };
    if (own.sockets >= most) {
      refuseConnection(socket, tooMany(most));
      return;
    }
    own.sockets += 1;
    open.set(network, own);
    state.counted = own;
    socket.on('close', closed);
  });
}

/** Null for trusted proxies and closed connections. */
function nameOf(
  { remoteAddress }: Socket,
  trusted: TrustedProxies,
): string | null {
  if (remoteAddress === undefined || isProxy(remoteAddress, trusted)) {
    return null;
  }
  return Buffer.from(networkOf(remoteAddress, undefined, [])).toString('hex');
}

function tooMany(most: number): BoardError {
  return new BoardError(
    'rate_limited',
    `A network may hold ${most} connections; close some, or keep fewer open.`,
    { retry_after_seconds: 1 },
  );
}

/** Per connection; with more, nothing is read. Each takes kilobytes. */
const MOST_WAITING = 1_000;

const ignore = (): void => {};

/** One per turn of the event loop. */
const due: (() => void)[] = [];

function beginDue(): void {
  try {
    due[0]?.();
  } finally {
    // Others go on, whatever happens to this one.
    due.shift();
    if (due.length > 0) setImmediate(beginDue);
  }
}

/** When the answer ahead is over. */
function beginAfter(answer: Waiting['res'] | undefined, socket: Duplex): void {
  answer?.once('close', () => {
    due.push(() => beginNext(socket));
    if (due.length === 1) setImmediate(beginDue);
  });
}

/** Node resumes after each request. */
function pauseAgain(this: Duplex): void {
  this.pause();
}

function beginNext(socket: Duplex): void {
  const state = connectionState(socket);
  const line = state.waiting ?? [];
  const first = line.shift();
  // A closed one sends no further event.
  if (first === undefined || !socket.writable || first.res?.socket === null) {
    state.waiting = null;
    return;
  }
  if (state.isUnread && line.length < MOST_WAITING) {
    state.isUnread = false;
    socket.off('resume', pauseAgain).resume();
  }
  if (line.length === 0) state.waiting = null;
  else beginAfter(first.res, socket);
  first.begin();
}

function owesAnswers(socket: Duplex): boolean {
  const { waiting, answer } = connectionState(socket);
  return waiting !== null || answer?.closed === false;
}

function wait(socket: Duplex, one: Waiting): void {
  const state = connectionState(socket);
  const { waiting } = state;
  if (waiting === null) {
    state.waiting = [one];
    beginAfter(state.answer, socket);
    return;
  }
  waiting.push(one);
  // After an upgrade nothing is read as HTTP.
  if (one.res === null || state.isUnread) return;
  if (waiting.length < MOST_WAITING) return;
  state.isUnread = true;
  socket.on('resume', pauseAgain).pause();
}

/**
 * One request of a connection at a time. Node would start all pipelined ones,
 * but report the end of the connection to the first answer only, so that places
 * and pool connections of the others would leak; hundreds could run in one
 * turn; and a read behind a write must see it (RFC 9112, 9.3.2). Nothing starts
 * after the connection's end.
 * @param take MUST first set `answer` of the connection's state
 */
export function serializePipelined(take: RequestListener): RequestListener {
  return (req, res) => {
    const { socket } = req;
    // It already has the connection.
    const isNext =
      res.socket !== null && connectionState(socket).waiting === null;
    if (isNext || !owesAnswers(socket)) take(req, res);
    else wait(socket, { begin: () => take(req, res), res });
  };
}

type Take = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Upgrade and CONNECT wait for the answers before them: Node would release the
 * connection at once. Nothing starts after its end.
 */
function listen(server: Server, event: 'upgrade' | 'connect', take: Take) {
  server.on(event, (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const begin = () => {
      socket.off('error', ignore);
      if (connectionState(socket).isRefused) return;
      if (hasTooManyHeaders(req))
        refuseConnection(socket, headersTooLarge(), req);
      else take(req, socket, head);
    };
    if (!owesAnswers(socket)) {
      begin();
      return;
    }
    // Until then a reset must not end the node.
    connectionState(socket).isUnread = false;
    socket.off('resume', pauseAgain).on('error', ignore);
    wait(socket, { begin, res: null });
  });
}

/** Node would end CONNECT without an answer. */
export function refuseTunnels(server: Server): void {
  listen(server, 'connect', (req, socket) => {
    const detail = 'This server opens no tunnels; send a request with a path.';
    refuseConnection(socket, new BoardError('invalid_input', detail), req);
  });
}

/** Meaningless without an upgrade. */
const HOP = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Hands wanted upgrades to `take`. Others, such as the `h2c` that clients
 * offer, become plain requests again (RFC 9110, 7.8).
 */
export function takeUpgrades(
  server: Server,
  isWanted: (req: IncomingMessage) => boolean,
  take: Take,
): void {
  listen(server, 'upgrade', (req, socket, head) => {
    if (isWanted(req)) take(req, socket, head);
    else putBack(server, req, socket, head);
  });
}

function putBack(
  server: Server,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = req;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!HOP.has(name.toLowerCase()))
      lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  const text = `${lines.join('\r\n')}\r\n\r\n`;
  socket.unshift(Buffer.concat([Buffer.from(text, 'latin1'), head]));
  // The idle timeout began with the answer before.
  if (socket instanceof Socket) socket.setTimeout(0);
  server.emit('connection', socket);
}
