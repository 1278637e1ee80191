import type { Peer } from './entities/peer.js';

/** A peer with which this board exchanges: confirmed, and not stopped by anything. */
export const PULLABLE = { status: 'active' } as const;

export const isPullable = ({ status }: Pick<Peer, 'status'>): boolean =>
  status === PULLABLE.status;

/** The same in a statement, where the table `peer` has this name. */
export const pullableSql = (peer: string): string =>
  `${peer}.status = '${PULLABLE.status}'`;
