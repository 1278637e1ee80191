import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../../protocol/parse-url.js';

/** Beyond https to public addresses (spec/board.md §14.4). */
export type Reach = { allowHttp: boolean; allowPrivate: boolean };

/** Scheme, host and port; http by MESH_ALLOW_HTTP (spec/mesh.md §B11). */
export function peerBaseUrl(text: string, { allowHttp }: Reach): URL | null {
  const url = parseUrl(text);
  if (url === null || url.origin !== text || url.port === '0') return null;
  if (url.protocol === 'https:') return url;
  return allowHttp && url.protocol === 'http:' ? url : null;
}

/** 2000::/3: all of global IPv6. */
const GLOBAL: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Allows one range, so that no special one is forgotten: the library calls
 * unassigned space and `::7f00:1` unicast.
 */
export function isPublicAddress(address: string): boolean {
  try {
    const parsed = ipaddr.process(address);
    if (parsed.range() !== 'unicast') return false;
    return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL);
  } catch {
    return false;
  }
}

/** Null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? null : bare;
}

/** Recognised by its class. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The socket connects to the checked address: no second look-up. */
export function vettedLookup(
  isAllowed: (address: string) => boolean,
  lookup: LookupFunction = dns.lookup as LookupFunction,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      const all =
        typeof found === 'string'
          ? [{ address: found, family: family ?? isIP(found) }]
          : found;
      const [first] = all;
      if (first === undefined || !all.every((one) => isAllowed(one.address))) {
        callback(new AddressRefused(`${hostname} is not public`), '', 0);
      } else if (options.all === true) callback(null, all);
      else callback(null, first.address, first.family);
    });
  };
}
