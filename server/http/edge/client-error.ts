import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BoardError } from '../../errors.js';
import { DATA_HEADERS, FOR_ANY_SITE } from '../headers.js';
import { connectionState, MAX_HEADERS } from '../request-state.js';

const LINGER_MS = 500;
const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
};

export type ClientError = Error & { code?: string; rawPacket?: Uint8Array };

/** Request line, names and values. */
export const MAX_HEADER_BYTES = 8_192;

export function headersTooLarge(): BoardError {
  return new BoardError(
    'headers_too_large',
    `The request line and headers are larger than ${MAX_HEADER_BYTES} bytes, or there are ${MAX_HEADERS} headers or more; send fewer or shorter ones.`,
  );
}

/** A target with a blank, or with what is not ASCII. */
const UNENCODED =
  /^(?:GET|HEAD|POST|OPTIONS) [^\r\n]*(?:[^\x20-\x7e\r\n]| [^\r\n]* HTTP\/)[^\r\n]*/;

function meantBy(packet: Uint8Array | undefined): BoardError {
  const start = packet?.subarray(0, MAX_HEADER_BYTES) ?? new Uint8Array();
  // A handshake record of TLS 1.x.
  if (start[0] === 0x16 && start[1] === 0x03) {
    return new BoardError(
      'invalid_input',
      'This port speaks http, not https; begin the address with http://.',
    );
  }
  if (!UNENCODED.test(Buffer.from(start).toString('latin1'))) return notHttp();
  return new BoardError(
    'invalid_input',
    "The address has characters that must be percent-encoded, such as blanks and letters beyond ASCII; curl does it: curl -G '<address>' --data-urlencode 'q=<words>'.",
  );
}

function errorOf({ code, rawPacket }: ClientError): BoardError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new BoardError(
        'request_timeout',
        'The request did not arrive in time; send it again in one go.',
      );
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new BoardError(
        'request_too_large',
        'The chunk extensions are too large; leave them out.',
      );
    default:
      return meantBy(rawPacket);
  }
}

export function notHttp(): BoardError {
  return new BoardError('invalid_input', 'The request is not valid HTTP/1.1.');
}

/** Errors of reads answer every origin (spec/board.md §1.7). */
function isRead(packet: Uint8Array | undefined): boolean {
  const start = Buffer.from(packet?.subarray(0, 5) ?? []).toString('latin1');
  return /^(?:GET|HEAD) /.test(start);
}

function answerText(error: BoardError, read: boolean): string {
  const body = JSON.stringify(error.body());
  const retry = error.extras.retry_after_seconds;
  const headers = Object.entries({
    ...DATA_HEADERS,
    ...(read ? FOR_ANY_SITE : {}),
    Date: new Date().toUTCString(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    ...(retry === undefined ? {} : { 'Retry-After': String(retry) }),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${error.status} ${REASONS[error.status]}\r\n`;
  return `${status}${headers.join('')}\r\n${body}`;
}

/** One JSON answer (spec/board.md §1.5), then an end within 0.5 s. */
export function answerClientError(error: ClientError, socket: Duplex): void {
  const state = connectionState(socket);
  if (state.isRefused) return;
  state.isRefused = true;
  const { answer } = state;
  const over = answer?.writableFinished === true && answer.req.complete;
  const begun = answer?.headersSent === true && !over;
  if (!socket.writable || begun || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  finish(socket, errorOf(error), isRead(error.rawPacket));
}

/** For connections that no handler can answer. */
export function refuseConnection(
  socket: Duplex,
  error: BoardError,
  { method = 'GET' }: Pick<IncomingMessage, 'method'> = {},
): void {
  connectionState(socket).isRefused = true;
  finish(socket, error, method === 'GET' || method === 'HEAD');
}

function finish(socket: Duplex, error: BoardError, read: boolean): void {
  socket.on('error', () => {}); // a late reset must not end the process
  socket.end(answerText(error, read));
  if (socket instanceof Socket) socket.pause();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
