import type { IncomingMessage, ServerResponse } from 'node:http';

const SMALL_BODY = 65_536;
const LINGER_MS = 500;

const awaitingContinue = new WeakSet<IncomingMessage>();

/** Marks a request whose client holds its body back until `100 Continue`. */
export function holdBody(req: IncomingMessage): void {
  awaitingContinue.add(req);
}

/** Asks for the body that `Expect: 100-continue` held back. */
export function allowBody(req: IncomingMessage, res: ServerResponse): void {
  if (awaitingContinue.delete(req)) res.writeContinue();
}

/** Whether input may still come that nobody is going to read. */
function hasUnreadInput(req: IncomingMessage): boolean {
  if (req.complete) return false;
  if (awaitingContinue.has(req)) return true;
  if (req.headers['transfer-encoding'] !== undefined) return true;
  return Number(req.headers['content-length'] ?? 0) > SMALL_BODY;
}

/**
 * Ends an answer, also one given before the body was read (spec/operators.md
 * §R0 7-8).
 *
 * Node would either swallow an endless body or answer it with a reset that the
 * client sees instead of the answer. So: write, stop reading, wait, destroy.
 * A body declared as small is left to Node, which keeps the connection.
 */
export function endAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  bytes?: Uint8Array,
): void {
  if (res.destroyed) return; // the client is gone
  if (!hasUnreadInput(req)) {
    res.end(bytes);
    return;
  }
  const { socket } = req;
  res.setHeader('Connection', 'close');
  if (bytes === undefined || req.method === 'HEAD') res.flushHeaders();
  else res.write(bytes);
  req.pause();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
