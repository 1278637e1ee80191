import type {
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { newestAnswer } from './client-error.js';

/** What waits for its turn on a connection. */
type Waiting = {
  begin: () => void;
  /** Null for an upgrade: its handler answers. */
  res: ServerResponse | null;
};

/**
 * So many wait on one connection; while there are more, nothing is read of it.
 * Each is some kilobytes, and a client sends them as fast as the network is.
 */
const MOST_WAITING = 1_000;

/** Who came before the answer of an earlier one was over, by connection. */
const lines = new WeakMap<Duplex, Waiting[]>();

/** Connections of which nothing is read. */
const full = new WeakSet<Duplex>();

const ignore = (): void => {};

/** Begun one in each turn of the loop. */
const due: (() => void)[] = [];

function turn(): void {
  try {
    due[0]?.();
  } finally {
    // Those of other connections go on, whatever became of this one.
    due.shift();
    if (due.length > 0) setImmediate(turn);
  }
}

function soon(begin: () => void): void {
  due.push(begin);
  if (due.length === 1) setImmediate(turn);
}

/** Node reads on at the end of each request. */
function pauseAgain(this: Duplex): void {
  this.pause();
}

function stopReading(socket: Duplex): void {
  if (full.has(socket)) return;
  full.add(socket);
  socket.on('resume', pauseAgain).pause();
}

function readOn(socket: Duplex): void {
  if (!full.delete(socket)) return;
  socket.off('resume', pauseAgain).resume();
}

function next(socket: Duplex): void {
  const line = lines.get(socket) ?? [];
  const first = line.shift();
  // Of what has ended nobody would be told again.
  if (first === undefined || !socket.writable || first.res?.socket === null) {
    lines.delete(socket);
    return;
  }
  if (line.length < MOST_WAITING) readOn(socket);
  if (line.length === 0) lines.delete(socket);
  else first.res?.once('close', () => soon(() => next(socket)));
  first.begin();
}

/** Whether an answer of a connection is not over yet, or one is to come. */
function owesAnswers(socket: Duplex): boolean {
  return lines.has(socket) || newestAnswer(socket)?.closed === false;
}

function wait(socket: Duplex, one: Waiting): void {
  const line = lines.get(socket);
  if (line !== undefined) {
    line.push(one);
    // Behind an upgrade nothing is read as it is.
    if (one.res !== null && line.length >= MOST_WAITING) stopReading(socket);
    return;
  }
  lines.set(socket, [one]);
  newestAnswer(socket)?.once('close', () => soon(() => next(socket)));
}

/** Whether nothing is read of a connection: what is late of it is not its fault. */
export function isUnread(socket: Duplex): boolean {
  return full.has(socket);
}

/** Whether more was asked for behind this answer, on its connection. */
export function isFollowed({ req }: ServerResponse): boolean {
  return lines.has(req.socket);
}

/**
 * Takes the requests of a connection one after the other, and in between
 * whatever else there is to do. Node hands over all that are there, but tells
 * only the first of their answers when the connection ends: what others hold, a
 * place or a connection of a pool, they would hold for ever. A client that took
 * none of its answers had hundreds of them made in one turn, while others waited
 * to be heard. And a read that is sent behind a write shall see it (RFC 9112,
 * 9.3.2). Nobody is left to be answered when the connection ends meanwhile.
 *
 * @param take MUST call `trackAnswer` first of all.
 */
export function oneByOne(take: RequestListener): RequestListener {
  return (req: IncomingMessage, res: ServerResponse) => {
    const { socket } = req;
    // One that has the connection already is the next.
    const isNext = res.socket !== null && !lines.has(socket);
    if (isNext || !owesAnswers(socket)) take(req, res);
    else wait(socket, { begin: () => take(req, res), res });
  };
}

/**
 * The same for what leaves HTTP, an upgrade or CONNECT: Node takes its hands off
 * such a connection at once, also while it owes answers. Nothing is begun where
 * the connection ends with one of them.
 */
export function afterAnswers(socket: Duplex, take: () => void): void {
  if (!owesAnswers(socket)) {
    take();
    return;
  }
  // Read on by who takes it; until then an end by a reset must not end the node.
  full.delete(socket);
  socket.off('resume', pauseAgain).on('error', ignore);
  const begin = () => {
    socket.off('error', ignore);
    take();
  };
  wait(socket, { begin, res: null });
}
