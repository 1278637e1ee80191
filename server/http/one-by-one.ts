import type {
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { newestAnswer } from './raw-answer.js';

/** As many may stand in line before no more is read from their connection. */
const LINE = 16;

type Asked = { req: IncomingMessage; res: ServerResponse };

/** Who came before the answer of an earlier one was over, by connection. */
const lines = new WeakMap<Duplex, Asked[]>();

/**
 * Takes the requests of a connection one after the other. Node hands over all
 * that are there, but tells only the first of their answers when the connection
 * ends: what others hold, a place or a connection of a pool, they would hold
 * for ever. And a read that is sent behind a write shall see it (RFC 9112,
 * 9.3.2). Nobody is left to be answered when the connection ends meanwhile.
 *
 * @param take MUST call `trackAnswer` first of all.
 */
export function oneByOne(take: RequestListener): RequestListener {
  const next = (socket: Duplex) => {
    const line = lines.get(socket) ?? [];
    const first = line.shift();
    if (first === undefined || first.res.socket === null) {
      lines.delete(socket);
      return;
    }
    if (line.length === LINE) socket.resume();
    if (line.length === 0) lines.delete(socket);
    else first.res.once('close', () => next(socket));
    take(first.req, first.res);
  };
  return (req, res) => {
    const { socket } = req;
    const before = res.socket === null ? newestAnswer(socket) : undefined;
    if (before === undefined || before.closed) {
      take(req, res);
      return;
    }
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, [{ req, res }]);
      before.once('close', () => next(socket));
      return;
    }
    line.push({ req, res });
    if (line.length > LINE) socket.pause();
  };
}
