import { equalBytes } from '../../protocol/bytes.js';
import {
  type OpenedCheckpoint,
  openCheckpoint,
} from '../../protocol/checkpoint.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { raiseAlert } from '../../server/operations/index.js';
import { isLaterLog } from '../peers/adopt-identity.js';
import type { Head } from './ask-peer.js';
import { rootAt, type WitnessParts } from './known-logs.js';

type Parts = Pick<
  WitnessParts,
  'writes' | 'clock' | 'log' | 'keys' | 'guard' | 'board'
>;

/**
 * A validly signed head that is not ours: the database was rolled back or the
 * key was stolen, so the guard checks. Also for later generations.
 */
export async function suspectOurHead(parts: Parts, head: Head): Promise<void> {
  const { board, keys, guard } = parts;
  if (isLaterLog(head.origin, board.origin)) {
    const vkey = keys.logVkeyOf(head.origin);
    if (openCheckpoint(head.note, vkey).ok) await guard.check();
    return;
  }
  if (head.origin !== board.origin) return;
  const opened = openCheckpoint(head.note, keys.log.vkey);
  if (!opened.ok || opened.value.size === 0) return;
  const { note } = head;
  const strange = await suspectOurKey(parts, { ...opened.value, note });
  if (strange) await guard.check();
}

/** Harmless if our tree agrees. Returns whether an alert was raised. */
export async function suspectOurKey(
  { writes, clock, log }: Pick<Parts, 'writes' | 'clock' | 'log'>,
  head: Pick<OpenedCheckpoint, 'origin' | 'size' | 'root'> & { note: string },
): Promise<boolean> {
  const own = await rootAt(writes, OWN_LOG, head.size);
  if (own !== null && equalBytes(own, head.root)) return false;
  const detail =
    own === null
      ? `A head of ${head.size} entries is validly signed by this board's log key, and this board has not reached that size: its database was rolled back, or somebody else holds the key.`
      : `A head of ${head.size} entries is validly signed by this board's log key with another root than this board has: somebody else holds the key.`;
  log.error({ size: head.size, note: head.note }, 'own_key_compromise');
  const alert = { kind: 'own_key_compromise', subject: head.origin } as const;
  await raiseAlert(writes, { ...alert, detail }, clock.now());
  return true;
}
