import type { Request } from 'express';
import { OWN_LOG } from '../../../server/ledger/nodes.js';

/**
 * A log that this node keeps. `own`: its texts stand in the board's own
 * tables, also those of a closed generation; else in the mirror's.
 */
export type KeptLog = { originId: number; own: boolean };

/**
 * Which log a request reads: the same handlers serve the board's own logs
 * below `/log` and `/log<n>`, and each mirrored one below `/mirror/<hash>`.
 */
export type LogOf = (req: Request) => KeptLog;

export const CURRENT: KeptLog = { originId: OWN_LOG, own: true };
