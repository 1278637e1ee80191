import type { IncomingMessage, ServerResponse } from 'node:http';
import { BoardError } from '../../errors.js';
import { allowBody } from '../fast/end-response.js';

/** The client went away while its body was read: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** What is over the limit costs its connection, also where all of it came. */
function tooLarge(res: ServerResponse, maxBytes: number): BoardError {
  res.setHeader('Connection', 'close');
  return new BoardError(
    'request_too_large',
    `The request body is larger than ${maxBytes} bytes; shorten it.`,
  );
}

/**
 * The bytes of a request body, at most `maxBytes` on the wire (spec/board.md
 * §1.6).
 *
 * Rejects with `request_too_large` at once when Content-Length says so and else
 * as soon as the bytes do; then it reads no further, and the answer closes the
 * connection. Rejects with `ClientGone` after an abort.
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  maxBytes: number,
): Promise<Uint8Array> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
    throw tooLarge(res, maxBytes);
  }
  allowBody(req, res);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      req.pause();
      settle();
      reject(tooLarge(res, maxBytes));
    };
    const onEnd = (): void => {
      settle();
      resolve(Buffer.concat(chunks, length));
    };
    const onGone = (): void => {
      settle();
      reject(new ClientGone());
    };
    const settle = (): void => {
      req.off('data', onData).off('end', onEnd).off('close', onGone);
    };
    req.on('data', onData).on('end', onEnd).on('close', onGone);
    req.on('error', onGone); // stays: a late reset must not end the process
  });
}
