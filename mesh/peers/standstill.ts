import { isPullable } from '../../server/db/pullable.js';
import type { Standstill } from '../mesh-ports.js';
import { waitingAddress, waitingIdentity } from './adopt-identity.js';
import { lagMs, statusOf } from './peer-view.js';
import type { PeerRow } from './peers.sql.js';

/** A longer lag needs an operator. */
const LONG_MS = 3_600_000;

/** By status, what to do. */
const OF_STATUS: Partial<Record<ReturnType<typeof statusOf>, string>> = {
  pending: 'compare its log key with its operators, then "peer confirm"',
  lagging: 'look whether it answers and whether this machine keeps up',
  unreachable: 'ask its operators; "peer pause" ends the attempts',
  degraded: 'it goes on by itself; "peer resume" does so at once',
  paused: '"peer resume" goes on',
  quarantined: 'see its evidence on the Mesh page and talk to its operators',
};

/** The node did not ask, because it may not. */
export const isBarred = (code: string | null | undefined): boolean =>
  code === 'bad_url' || code === 'address_refused';

export const BARRED =
  'this node may not ask that address: it needs MESH_ALLOW_HTTP=on (http) or MESH_ALLOW_PRIVATE=on (no public address) in its own environment, and a restart';

/** Null where all is well. The only source for all that show it. */
export function standstillOf(
  row: Omit<PeerRow, 'lastCheckpoint' | 'evidence'>,
  now: number,
): Standstill | null {
  const status = statusOf(row, now);
  const next = OF_STATUS[status];
  const detail = `${row.name} is ${status}`;
  const found = next ? { reason: status, detail, next, isAlert: false } : null;
  if (!isPullable(row)) return found;
  const waiting = waitingIdentity(row);
  const confirm = `reserve-board peer confirm ${row.name} '${waiting?.log ?? ''}'`;
  if (waiting !== null && waiting.origin !== row.origin) {
    const address = waitingAddress(row);
    return {
      reason: 'new_key',
      detail: `${row.name} goes on under a new log key, and its copy does not grow until that is confirmed`,
      next: `compare the key with its operators, then: ${confirm}${address === null ? '' : ` --address ${address}`}`,
      isAlert: true,
    };
  }
  if (row.lastErrorCode === 'http_410') {
    return {
      reason: 'log_ended',
      detail: `${row.name} says that this log has ended (http_410), and its copy does not grow any more`,
      next: 'ask its operators for the line "peer add … --confirm …" of its new log',
      isAlert: true,
    };
  }
  if (row.lastErrorCode === 'unsupported_protocol') {
    return {
      reason: 'unsupported_protocol',
      detail: `${row.name} speaks another protocol of the mesh, and its copy does not grow`,
      next: 'bring the older of both boards up to date; it is asked again each day, at once after "peer resume"',
      isAlert: true,
    };
  }
  if (found !== null && isBarred(row.lastErrorCode)) found.next = BARRED;
  // Other statuses have own alerts or are wanted.
  const isAlert = status === 'lagging' && lagMs(row, now) > LONG_MS;
  return found && { ...found, isAlert };
}
