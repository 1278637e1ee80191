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

/** Sockets for each place to wait: 512 by default (spec/operators.md §R6.1). */
const PER_WAIT = 8;
const LEAST = 512;

/**
 * Bounds the connections that one network holds open, so that it cannot take
 * all of the server's. A higher `waits_per_network` lifts this with it.
 * Behind a trusted proxy the proxy's connections are not the clients', and the
 * proxy bounds those.
 */
export function limitConnections(
  server: Server,
  options: { trusted: TrustedProxies; waitsPerNetwork: number },
): void {
  const most = Math.max(LEAST, options.waitsPerNetwork * PER_WAIT);
  const open = new Map<string, OpenSockets>();
  // The same for all: thousands may be open.
  function closed(this: Socket): void {
    const { counted } = connectionState(this);
    if (!counted) return;
    counted.sockets -= 1;
    if (counted.sockets === 0) open.delete(counted.network);
  }
  server.on('connection', (socket: Socket) => {
    const state = connectionState(socket);
    // An upgrade that is put back comes a second time.
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
    socket.once('close', closed);
  });
}

/** Null for a trusted proxy, and for one that is gone already. */
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

/**
 * So many requests wait on one connection; while there are more, nothing is
 * read of it. Each is some kilobytes, and a client sends them as fast as the
 * network is.
 */
const MOST_WAITING = 1_000;

const ignore = (): void => {};

/** Begun one in each turn of the event loop. */
const due: (() => void)[] = [];

function beginDue(): void {
  try {
    due[0]?.();
  } finally {
    // Those of other connections go on, whatever became of this one.
    due.shift();
    if (due.length > 0) setImmediate(beginDue);
  }
}

/** Begins what waits behind an answer, once that is over. */
function beginAfter(answer: Waiting['res'] | undefined, socket: Duplex): void {
  answer?.once('close', () => {
    due.push(() => beginNext(socket));
    if (due.length === 1) setImmediate(beginDue);
  });
}

/** Node reads on at the end of each request. */
function pauseAgain(this: Duplex): void {
  this.pause();
}

function beginNext(socket: Duplex): void {
  const state = connectionState(socket);
  const line = state.waiting ?? [];
  const first = line.shift();
  // Of what has ended no further event comes.
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

/** Whether an answer of a connection is not over yet, or one is to come. */
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
  // Behind an upgrade nothing is read as it is.
  if (one.res === null || state.isUnread) return;
  if (waiting.length < MOST_WAITING) return;
  state.isUnread = true;
  socket.on('resume', pauseAgain).pause();
}

/**
 * Takes the requests of a connection one after the other, and in between
 * whatever else there is to do. Node hands over all that are there, but tells
 * only the first of their answers when the connection ends: a place or a
 * connection of a pool that others hold would never come back. A client that
 * took none of its answers had hundreds of them made in one turn of the loop,
 * while others waited. And a read that is sent behind a write shall see it
 * (RFC 9112, 9.3.2). Where the connection ends meanwhile nothing is begun.
 *
 * @param take MUST first set `answer` of the connection's state.
 */
export function serializePipelined(take: RequestListener): RequestListener {
  return (req, res) => {
    const { socket } = req;
    // One that has the connection already is the next.
    const isNext =
      res.socket !== null && connectionState(socket).waiting === null;
    if (isNext || !owesAnswers(socket)) take(req, res);
    else wait(socket, { begin: () => take(req, res), res });
  };
}

type Take = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Listens for what leaves HTTP, an upgrade or CONNECT, each after the answers
 * before it: Node lets such a connection go at once, also while it owes
 * answers. Nothing is begun where the connection ends with one of them.
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
    // Until it is taken, an end by a reset must not end the node.
    connectionState(socket).isUnread = false;
    socket.off('resume', pauseAgain).on('error', ignore);
    wait(socket, { begin, res: null });
  });
}

/** Answers CONNECT, which Node would end without a word. */
export function refuseTunnels(server: Server): void {
  listen(server, 'connect', (req, socket) => {
    const detail = 'This server opens no tunnels; send a request with a path.';
    refuseConnection(socket, new BoardError('invalid_input', detail), req);
  });
}

/** What asks for another protocol, and means nothing without it. */
const HOP = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Hands the upgrades that `isWanted` to `take`. Node gives every request with an
 * Upgrade header to this listener, also the `h2c` that some clients offer with
 * any request: those are put back as the plain requests they are, which a
 * server may answer in the protocol that it speaks (RFC 9110, 7.8).
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
  // The time that an idle connection has began with the answer before.
  if (socket instanceof Socket) socket.setTimeout(0);
  server.emit('connection', socket);
}
