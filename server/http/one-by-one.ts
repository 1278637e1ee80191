import type {
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { newestAnswer } from './raw-answer.js';

type Asked = { req: IncomingMessage; res: ServerResponse };

/**
 * Who came before the answer of an earlier one was over, by connection;
 * `maxRequestsPerSocket` bounds how many.
 */
const lines = new WeakMap<Duplex, Asked[]>();

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
  const next = (socket: Duplex) => {
    const line = lines.get(socket) ?? [];
    const first = line.shift();
    // Of what has ended nobody would be told again.
    if (first === undefined || socket.destroyed || first.res.socket === null) {
      lines.delete(socket);
      return;
    }
    if (line.length === 0) lines.delete(socket);
    else first.res.once('close', () => soon(() => next(socket)));
    take(first.req, first.res);
  };
  return (req, res) => {
    const { socket } = req;
    const line = lines.get(socket);
    if (line !== undefined) {
      line.push({ req, res });
      return;
    }
    const before = res.socket === null ? newestAnswer(socket) : undefined;
    if (before === undefined || before.closed) {
      take(req, res);
      return;
    }
    lines.set(socket, [{ req, res }]);
    before.once('close', () => soon(() => next(socket)));
  };
}
