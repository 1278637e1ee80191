import type { Response } from 'express';
import type { Context } from '../../context.js';
import { tellPolicies, tellStandings } from './headers.js';

export type ReadPolicy =
  | 'reads_per_network_minute'
  | 'searches_per_network_minute'
  | 'exports_per_network_hour';

/**
 * Spends one of a network's reads and tells in the answer what is left.
 * @throws BoardError `rate_limited` above the limit.
 */
export function takeRead(
  { readLimiter, limits }: Pick<Context, 'readLimiter' | 'limits'>,
  res: Response,
  limit: ReadPolicy,
  network: Uint8Array,
): void {
  tellPolicies(res, [limit], limits);
  tellStandings(res, [{ limit, ...readLimiter.take(limit, network) }]);
}
