import type { LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { AddressRefused, literalAddress } from './peer-address.js';

export type VettedConnectorOptions = {
  lookup: LookupFunction;
  isAllowed: (address: string) => boolean;
  /** Milliseconds. */
  timeout: number;
};

/**
 * undici's connector with the address checked three times: a literal host
 * before (no look-up happens for it), a name in the look-up, and what the
 * socket says it is connected to.
 */
export function vettedConnector(
  options: VettedConnectorOptions,
): buildConnector.connector {
  const { lookup, timeout, isAllowed } = options;
  // undici hands what it does not know on to net.connect and tls.connect.
  const settings = { lookup, timeout, maxCachedSessions: 16 };
  const connect = buildConnector(settings as buildConnector.BuildOptions);
  return (target, callback) => {
    const literal = literalAddress(target.hostname);
    if (literal !== null && !isAllowed(literal)) {
      callback(new AddressRefused(literal), null);
      return;
    }
    connect(target, (...result) => {
      const [error, socket] = result;
      const address = (socket as Socket | null)?.remoteAddress;
      if (error === null && (address === undefined || !isAllowed(address))) {
        (socket as Socket).destroy();
        callback(new AddressRefused(String(address)), null);
      } else callback(...result);
    });
  };
}
