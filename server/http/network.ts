import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { BoardError } from '../errors.js';
import { connectionState } from './request-state.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = readonly [Address, number];

/** Their X-Forwarded-For is trusted; empty by default. */
export type TrustedProxies = readonly Cidr[];

/** Only IPv6 has a zone (after `%`). */
function withoutZone(text: string): string {
  const [address = '', zone] = text.split('%', 2);
  return zone !== undefined && address.includes(':') ? address : text;
}

function parseAddress(text: string): Address | null {
  const bare = withoutZone(text.trim());
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  const last = bare.slice(2);
  if (bare.startsWith('::') && ipaddr.IPv4.isValidFourPartDecimal(last)) {
    // ipaddr.js would read it as a mapped address.
    const tail = ipaddr.IPv4.parse(last).toByteArray();
    return ipaddr.fromByteArray([...Array<number>(12).fill(0), ...tail]);
  }
  if (!bare.includes(':') || !ipaddr.IPv6.isValid(bare)) return null;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function parseCidr(text: string): Cidr | null {
  const [base = '', length, ...more] = text.split('/');
  const address = parseAddress(base);
  if (address === null || more.length > 0) return null;
  const mapped = address.kind() === 'ipv4' && base.includes(':');
  const whole = base.includes(':') ? 128 : 32;
  if (length !== undefined && !/^(?:0|[1-9][0-9]{0,2})$/.test(length)) {
    return null;
  }
  const given = length === undefined ? whole : Number(length);
  const bits = mapped ? given - 96 : given;
  return bits > 0 && given <= whole ? [address, bits] : null;
}

/**
 * Comma-separated CIDRs or addresses (spec/board.md §1.9). Refuses `true`, hop
 * counts and /0: clients could name their own network.
 */
export function parseTrustProxy(text: string): TrustedProxies {
  if (text.trim() === '') return [];
  return text.split(',').map((entry) => {
    const cidr = parseCidr(entry.trim());
    if (cidr !== null) return cidr;
    throw new Error(
      `TRUST_PROXY must be a comma-separated list of proxy addresses such as 127.0.0.1/32,10.0.0.0/8; "${entry.trim()}" is none (true, hop counts and /0 are refused).`,
    );
  });
}

function isTrusted(address: Address, trusted: TrustedProxies): boolean {
  return trusted.some(
    ([base, bits]) =>
      base.kind() === address.kind() && address.match(base, bits),
  );
}

/** Speaks for others. */
export function isProxy(
  remoteAddress: string,
  trusted: TrustedProxies,
): boolean {
  const peer = parseAddress(remoteAddress);
  return peer !== null && isTrusted(peer, trusted);
}

/**
 * A trusted proxy without a header. On loopback it may be a local command;
 * elsewhere all its readers would be one network (spec/board.md §16.6).
 */
export function namesNobody(
  remoteAddress: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trusted: TrustedProxies,
): boolean {
  if (forwardedFor !== undefined || trusted.length === 0) return false;
  const peer = parseAddress(remoteAddress ?? '');
  if (peer === null || peer.range() === 'loopback') return false;
  return isTrusted(peer, trusted);
}

function networkBytes(address: Address): Uint8Array {
  const bytes = address.toByteArray();
  return address.kind() === 'ipv4'
    ? Uint8Array.of(4, ...bytes)
    : Uint8Array.of(6, ...bytes.slice(0, 8));
}

/** Some proxies write `203.0.113.7:51234`, `[2001:db8::1]` or both. */
function bareHop(hop: string): string {
  const [, inside, plain] =
    /^\s*(?:\[(.*)\]|([^:]*))(?::[0-9]{1,5})?\s*$/.exec(hop) ?? [];
  return inside ?? plain ?? hop;
}

function unknownClient(detail: string): BoardError {
  return new BoardError('invalid_input', detail);
}

/**
 * Tag 4 and IPv4, or tag 6 and IPv6 /64 (spec/board.md §1.9); nothing else of
 * the address leaves this file.
 * `forwardedFor` counts from trusted proxies only, read from the right past
 * trusted ones, never past nonsense, which a client may have written. Without
 * it the peer counts (`namesNobody`).
 */
export function networkOf(
  remoteAddress: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trusted: TrustedProxies,
): Uint8Array {
  const peer = parseAddress(remoteAddress ?? '');
  if (peer === null) {
    throw unknownClient('The address this request came from is not known.');
  }
  const forwarded = forwardedFor !== undefined && isTrusted(peer, trusted);
  if (!forwarded) return networkBytes(peer);
  const hops = [forwardedFor].flat().join(',').split(',').reverse();
  let client: Address | null = null;
  for (const hop of hops) {
    client = parseAddress(bareHop(hop));
    if (client === null || !isTrusted(client, trusted)) break;
  }
  if (client !== null) return networkBytes(client);
  throw unknownClient(
    'The proxy in front of this board sent no readable X-Forwarded-For; its operator must set it to the client address.',
  );
}

/** IPv4 /24 or IPv6 /48: what one owner gets cheaply. */
export function neighbourhood(network: Uint8Array): Uint8Array {
  return network.subarray(0, network[0] === 6 ? 7 : 4);
}

/** Cached per connection while the header is the same. */
export function requestNetwork(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: TrustedProxies,
): Uint8Array {
  const forwarded = headers['x-forwarded-for'];
  const state = connectionState(socket);
  const last = state.network;
  if (last?.trusted === trusted && last.forwarded === forwarded) {
    return last.bytes;
  }
  const bytes = networkOf(socket.remoteAddress, forwarded, trusted);
  state.network = { bytes, trusted, forwarded };
  return bytes;
}

/** Under a key of this process: the address is not kept. */
export class NetworkNames {
  /** The key, and room for a network. */
  private readonly keyed = randomBytes(64);
  /** A connection's requests share their network. */
  private readonly known = new WeakMap<Uint8Array, string>();

  of(network: Uint8Array): string {
    let name = this.known.get(network);
    if (name === undefined) {
      this.keyed.set(network, 32);
      const text = this.keyed.subarray(0, 32 + network.length);
      name = hash('sha256', text, 'base64url').slice(0, 22);
      this.known.set(network, name);
    }
    return name;
  }
}

/** See `namesNobody`. */
export function isUnnamed(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: TrustedProxies,
): boolean {
  return namesNobody(socket.remoteAddress, headers['x-forwarded-for'], trusted);
}

/** A proxy's machine may ask this for itself (spec/board.md §16.6). */
const FOR_ITSELF =
  /^\/(?:healthz|readyz|log[0-9]{0,6}|mirror|api\/mesh)(?:\/|$)/;

/**
 * Refuses unnamed requests of remote proxies and calls `alert`.
 * @throws BoardError `invalid_input`
 */
export function namedClients(
  trusted: TrustedProxies,
  alert: () => void,
): RequestHandler {
  return (req, _res, next) => {
    if (FOR_ITSELF.test(req.path) || !isUnnamed(req, trusted)) {
      next();
      return;
    }
    alert();
    throw new BoardError(
      'invalid_input',
      "The proxy in front of this board names no client; its operator must let it set X-Forwarded-For to the client's address, or take it out of TRUST_PROXY.",
    );
  };
}
