import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

/** How long an answer may take on a machine that does other work as well, ms. */
const HANG_MS = 30_000;

export type Answer = {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  /** The parsed body; empty where it is no JSON object. */
  json: Record<string, unknown>;
};

export type Asked = {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | object;
  /** A loopback address is a network; `fresh`: not used in this run. */
  from?: string;
};

/** What one attack came to: null where the board held. */
export type Try = { what: string; run: () => Promise<string | null> };
export type AttackClass = { name: string; tries: readonly Try[] };

let addresses = 0;

export function freshAddress(): string {
  addresses += 1;
  const n = addresses;
  return `127.${20 + (n >> 15)}.${(n >> 7) & 255}.${1 + (n & 127)}`;
}

const localOf = (from = '127.0.0.1') =>
  from === 'fresh' ? freshAddress() : from;

export class Target {
  readonly url: URL;

  /** @throws Error for a board that is not of this machine. */
  constructor(address: string) {
    this.url = new URL(address);
    if (this.url.hostname !== '127.0.0.1' || this.url.protocol !== 'http:') {
      throw new Error('Only a board at http://127.0.0.1 is attacked.');
    }
  }

  get origin(): string {
    return this.url.origin;
  }

  /** One request over a connection of its own. */
  async ask(path: string, asked: Asked = {}): Promise<Answer> {
    const { body, headers = {} } = asked;
    const isPlain = typeof body === 'string' || Buffer.isBuffer(body);
    const sent = isPlain || body === undefined ? body : JSON.stringify(body);
    const length =
      sent === undefined ? {} : { 'Content-Length': Buffer.byteLength(sent) };
    const type = isPlain ? {} : { 'Content-Type': 'application/json' };
    const req = request({
      host: this.url.hostname,
      port: this.url.port,
      method: asked.method ?? (sent === undefined ? 'GET' : 'POST'),
      path,
      headers: { ...type, ...length, ...headers },
      localAddress: localOf(asked.from),
      agent: false,
      timeout: HANG_MS,
    });
    req.on('timeout', () => req.destroy(new Error('no answer')));
    req.end(sent);
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of res) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { statusCode: status = 0, headers: got } = res;
    return { status, headers: got, text, json: objectOf(text) };
  }

  /** Writes bytes as they are and gives all that comes back until the end. */
  async raw(bytes: string, from?: string): Promise<string> {
    const socket = connect({
      host: this.url.hostname,
      port: Number(this.url.port),
      localAddress: localOf(from),
    });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.setTimeout(HANG_MS, () => socket.destroy(new Error('no answer')));
    socket.on('error', () => {}); // a reset is an end
    socket.write(Buffer.from(bytes, 'latin1'));
    await once(socket, 'close');
    return Buffer.concat(chunks).toString('latin1');
  }

  /** Whether the board answers others, as it has to after every attack. */
  async isWell(): Promise<boolean> {
    const { status } = await this.ask('/healthz', { from: 'fresh' });
    return status === 200;
  }
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
