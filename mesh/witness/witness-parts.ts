import type { Context } from '../../server/context.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';

/** What witnessing needs of its node. */
export type WitnessParts = Pick<
  Context,
  | 'reads'
  | 'writes'
  | 'clock'
  | 'log'
  | 'keys'
  | 'board'
  | 'ledger'
  | 'guard'
  | 'stopping'
> & { client: PeerClient };
