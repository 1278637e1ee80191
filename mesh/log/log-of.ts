import type { Request } from 'express';
import { OWN_LOG } from '../../server/ledger/nodes.js';

/**
 * Which log a request reads, as its `origin_id`: the same handlers serve the
 * board's own log below `/log` and each mirrored one below `/mirror/<hash>`.
 */
export type LogOf = (req: Request) => number;

export const ownLog: LogOf = () => OWN_LOG;
