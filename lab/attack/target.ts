import { once } from 'node:events';
import { connect } from 'node:net';

/** How long an answer may take on a machine that does other work as well, ms. */
const HANG_MS = 30_000;

/** What one attack came to: null where the board held. */
export type Try = { what: string; run: () => Promise<string | null> };
export type AttackClass = { name: string; tries: readonly Try[] };

let networks = 0;

export class Target {
  private readonly url: URL;

  /** @throws Error for a board that is not of this machine. */
  constructor(address: string) {
    this.url = new URL(address);
    if (this.url.hostname !== '127.0.0.1' || this.url.protocol !== 'http:') {
      throw new Error('Only a board at http://127.0.0.1 is attacked.');
    }
  }

  get(path: string): Promise<Response> {
    const signal = AbortSignal.timeout(HANG_MS);
    return fetch(new URL(path, this.url), { signal });
  }

  /** Bytes as they are, from a new network; all that comes until the end. */
  async raw(bytes: string): Promise<string> {
    networks += 1;
    const socket = connect({
      host: this.url.hostname,
      port: Number(this.url.port),
      localAddress: `127.20.${networks >> 7}.${1 + (networks & 127)}`,
    });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.setTimeout(HANG_MS, () => socket.destroy(new Error('no answer')));
    socket.on('error', () => {}); // a reset is an end
    socket.write(Buffer.from(bytes, 'latin1'));
    await once(socket, 'close');
    return Buffer.concat(chunks).toString('latin1');
  }
}
