import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

type Take = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** What asks for another protocol, and means nothing without it. */
const HOP = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Hands the upgrades of one path to `take`. Node gives every request with an
 * Upgrade header to whoever listens for them, also the `h2c` that some clients
 * offer with any request: those are put back as the plain requests they are,
 * which a server may answer in the protocol that it speaks (RFC 9110, 7.8).
 */
export function takeUpgrades(server: Server, path: string, take: Take): void {
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const asked = req.url?.split('?')[0];
    if (asked === path || asked === `${path}/`) take(req, socket, head);
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
  server.emit('connection', socket);
}
