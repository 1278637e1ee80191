import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BoardError } from '../../errors.js';
import { isTurnedAway, turnAway } from './client-error.js';
import { hasTooManyHeaders, headersTooLarge } from './header-count.js';
import { afterAnswers } from './serialize-pipelined-requests.js';

type Take = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
type Event = 'upgrade' | 'connect';

/** What asks for another protocol, and means nothing without it. */
const HOP = new Set(['connection', 'upgrade', 'http2-settings']);

/** Listens for what leaves HTTP, each after the answers before it. */
function listen(server: Server, event: Event, take: Take): void {
  server.on(event, (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    afterAnswers(socket, () => {
      if (isTurnedAway(socket)) return;
      if (hasTooManyHeaders(req)) turnAway(socket, headersTooLarge(), req);
      else take(req, socket, head);
    });
  });
}

/** Answers CONNECT, which Node would end without a word. */
export function refuseTunnels(server: Server): void {
  listen(server, 'connect', (req, socket) => {
    const detail = 'This server opens no tunnels; send a request with a path.';
    turnAway(socket, new BoardError('invalid_input', detail), req);
  });
}

/**
 * Hands the upgrades that `isWanted` to `take`. Node gives every request with an
 * Upgrade header to whoever listens for them, also the `h2c` that some clients
 * offer with any request: those are put back as the plain requests they are,
 * which a server may answer in the protocol that it speaks (RFC 9110, 7.8).
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
