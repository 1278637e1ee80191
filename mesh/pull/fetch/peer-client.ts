import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { parseUrl } from '../../../protocol/parse-url.js';
import { accepted, refused, type Verdict } from '../../../protocol/verdict.js';
import { NODE_AGENT } from '../../../server/http/headers.js';
import {
  AddressRefused,
  isPublicAddress,
  literalAddress,
  peerBaseUrl,
  type Reach,
  vettedLookup,
} from './peer-address.js';
import { type BodyFault, readBody } from './peer-body.js';

/** As received, and unpacked (spec/mesh.md §B11). */
const WIRE_BYTES = 2_097_152;
const INFLATED_BYTES = 8_388_608;

/** In ms; the request's limit is the sum. */
export type PeerTimeouts = { connect: number; headers: number; body: number };
const TIMEOUTS: PeerTimeouts = { connect: 3000, headers: 30_000, body: 15_000 };

/** No answer at all; a status of 400 and up is one. */
export type PeerFault =
  | 'bad_url'
  | 'address_refused'
  | 'unreachable'
  | 'timeout'
  | 'stopped'
  | 'redirected'
  | BodyFault;

/** `body` is unpacked; `retryAfter` in seconds. */
export type PeerAnswer = {
  status: number;
  body: Buffer;
  etag?: string;
  retryAfter?: number;
};

export type PeerCall = {
  /** Ends the call early. */
  signal?: AbortSignal | undefined;
  /** As received and unpacked. */
  maxBytes?: number;
  /** Of a known answer; 304 then counts as an answer. */
  etag?: string | undefined;
};

type Request = {
  headers: Readonly<Record<string, string>>;
  /** Null for GET. */
  body: string | null;
  unread?: boolean;
};

export type PeerClientOptions = Reach & {
  lookup?: LookupFunction;
  timeouts?: Partial<PeerTimeouts>;
};

/**
 * The only way out of the node: no redirects or cookies, only checked addresses
 * of the peer's host and port, bounded in time and size (spec/mesh.md §B7,
 * §B11). Webhooks, too.
 */
export class PeerClient {
  private agent: Promise<Agent> | undefined;
  private readonly timeouts: PeerTimeouts;
  private readonly isAllowed: (address: string) => boolean;

  constructor(private readonly options: PeerClientOptions) {
    this.timeouts = { ...TIMEOUTS, ...options.timeouts };
    this.isAllowed = (address) =>
      options.allowPrivate || isPublicAddress(address);
  }

  /** Without a look-up. */
  mayAsk(baseUrl: string): boolean {
    return this.vetted(baseUrl).ok;
  }

  async get(baseUrl: string, path: string, call: PeerCall = {}) {
    const { etag } = call;
    const known = etag === undefined ? {} : { 'if-none-match': etag };
    const headers = { ...HEADERS, ...known };
    return await this.send(baseUrl, path, { headers, body: null }, call);
  }

  async post(
    baseUrl: string,
    path: string,
    value: unknown,
    call: PeerCall = {},
  ) {
    const request = { headers: POST_HEADERS, body: JSON.stringify(value) };
    return await this.send(baseUrl, path, request, call);
  }

  /** JSON as it is; the answer is not read. */
  async deliver(
    baseUrl: string,
    path: string,
    text: string,
    headers: Readonly<Record<string, string>>,
    call: PeerCall = {},
  ) {
    const request = {
      headers: { ...POST_HEADERS, ...headers },
      body: text,
      unread: true,
    };
    return await this.send(baseUrl, path, request, call);
  }

  async close(): Promise<void> {
    await (await this.agent)?.destroy();
  }

  private async send(
    baseUrl: string,
    path: string,
    { headers, body, unread = false }: Request,
    { signal, maxBytes, etag: known }: PeerCall,
  ): Promise<Verdict<PeerAnswer, PeerFault>> {
    const vetted = this.vetted(baseUrl);
    if (!vetted.ok) return vetted;
    const base = vetted.value;
    if (!isPathBelow(path, base)) return refused('bad_url');
    const ending = new Ending(signal);
    try {
      ending.within(this.timeouts.connect + this.timeouts.headers);
      this.agent ??= this.opened();
      const answer = await (await this.agent).request({
        method: body === null ? 'GET' : 'POST',
        origin: base.origin,
        path,
        body,
        signal: ending.signal,
        headers,
      });
      answer.body.on('error', () => {}); // one that is left unread ends so
      const isKnown = known !== undefined && answer.statusCode === 304;
      if (answer.statusCode >= 300 && answer.statusCode < 400 && !isKnown) {
        answer.body.destroy();
        return refused('redirected');
      }
      if (unread) {
        answer.body.destroy();
        return accepted({ status: answer.statusCode, body: Buffer.alloc(0) });
      }
      ending.within(this.timeouts.body);
      const read = await readBody(answer, {
        wireBytes: maxBytes ?? WIRE_BYTES,
        inflatedBytes: maxBytes ?? INFLATED_BYTES,
      });
      if (!read.ok) return read;
      const status = answer.statusCode;
      const etag = tagOf(answer.headers.etag);
      const wait = String(answer.headers['retry-after'] ?? '');
      const retryAfter = /^\d{1,5}$/.test(wait) ? Number(wait) : undefined;
      return accepted({
        status,
        body: read.value,
        ...(etag === undefined ? {} : { etag }),
        ...(retryAfter === undefined ? {} : { retryAfter }),
      });
    } catch (error) {
      return refused(ending.reason ?? faultOf(error));
    } finally {
      ending.over();
    }
  }

  private async opened(): Promise<Agent> {
    const { vettedAgent } = await agentLibrary();
    return vettedAgent({
      lookup: vettedLookup(this.isAllowed, this.options.lookup),
      isAllowed: this.isAllowed,
      timeout: this.timeouts.connect,
    });
  }

  private vetted(baseUrl: string): Verdict<URL, 'bad_url' | 'address_refused'> {
    const base = peerBaseUrl(baseUrl, this.options);
    if (base === null) return refused('bad_url');
    const literal = literalAddress(base.hostname);
    return literal === null || this.isAllowed(literal)
      ? accepted(base)
      : refused('address_refused');
  }
}

/** Large, so a start does not wait for it; a node loads it soon after. */
export const agentLibrary = () => import('./vetted-agent.js');

const HEADERS = {
  accept: 'application/json, text/plain',
  'accept-encoding': 'gzip',
  'user-agent': NODE_AGENT,
};
const POST_HEADERS = { ...HEADERS, 'content-type': 'application/json' };

/** `//evil` and `/\evil` would name another host. */
function isPathBelow(path: string, base: URL): boolean {
  const url = path.startsWith('/') ? parseUrl(path, base.href) : null;
  if (url === null) return false;
  return url.origin === base.origin && `${url.pathname}${url.search}` === path;
}

/** Only tags that can be sent back. */
function tagOf(etag: unknown): string | undefined {
  return typeof etag === 'string' && /^(?:W\/)?"[!#-~]{0,100}"$/.test(etag)
    ? etag
    : undefined;
}

function faultOf(error: unknown): PeerFault {
  const { code } = error as { code?: string };
  if (error instanceof AddressRefused) return 'address_refused';
  return code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timeout' : 'unreachable';
}

/** Joins the caller's abort and each part's timeout. */
class Ending {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private readonly stop = () => this.end('stopped');
  reason: 'timeout' | 'stopped' | null = null;

  constructor(private readonly asked: AbortSignal | undefined) {
    if (asked?.aborted === true) this.stop();
    asked?.addEventListener('abort', this.stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** For the next part. */
  within(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end('timeout'), ms);
  }

  over(): void {
    clearTimeout(this.timer);
    this.asked?.removeEventListener('abort', this.stop);
  }

  private end(reason: 'timeout' | 'stopped'): void {
    this.reason ??= reason;
    this.controller.abort();
  }
}
