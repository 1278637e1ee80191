import { openCheckpoint } from '../../protocol/checkpoint.js';
import { isLaterLog } from '../peers/adopt-identity.js';
import type { Head } from './mesh-view.js';
import { vkeyOfGeneration } from './own-mirrors.js';
import { suspectOurKey } from './take-cosignature.js';
import type { WitnessParts } from './witness-parts.js';

type Parts = Pick<
  WitnessParts,
  'writes' | 'clock' | 'log' | 'keys' | 'guard' | 'board'
>;

/**
 * A head of our own log that another board shows: validly signed and not ours,
 * it means a rolled back database or a stolen key, so the guard looks too; as
 * does a signed head of a later generation than ours.
 */
export async function suspectOurHead(parts: Parts, head: Head): Promise<void> {
  const { board, keys, guard } = parts;
  if (isLaterLog(head.origin, board.origin)) {
    const vkey = vkeyOfGeneration(keys.log.vkey, head.origin);
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
