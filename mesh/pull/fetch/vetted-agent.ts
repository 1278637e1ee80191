import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { AddressRefused, literalAddress } from './peer-address.js';

export type VettedConnectorOptions = {
  lookup: LookupFunction;
  isAllowed: (address: string) => boolean;
  /** In ms. */
  timeout: number;
};

/** Checks literal hosts, look-ups and the connected socket. */
export function vettedConnector(
  options: VettedConnectorOptions,
): buildConnector.connector {
  const { lookup, timeout, isAllowed } = options;
  // undici passes unknown options to net.connect and tls.connect.
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

export function vettedAgent(options: VettedConnectorOptions): Agent {
  return new Agent({
    connect: vettedConnector(options),
    connections: 16, // per peer; a long poll takes one
    pipelining: 1,
    headersTimeout: 0, // the caller times both ends, as totals
    bodyTimeout: 0,
  });
}
