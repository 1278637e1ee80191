import { openCheckpoint } from '../../protocol/checkpoint.js';
import { suspectOurKey } from './take-cosignature.js';
import type { WitnessParts } from './witness-parts.js';

/**
 * A head of our own log that another board shows: validly signed and not ours,
 * it means a rolled back database or a stolen key, so the guard looks too.
 */
export async function suspectOurHead(
  parts: Pick<WitnessParts, 'writes' | 'clock' | 'log' | 'keys' | 'guard'>,
  note: string,
): Promise<void> {
  const opened = openCheckpoint(note, parts.keys.log.vkey);
  if (!opened.ok || opened.value.size === 0) return;
  const { origin, size, root } = opened.value;
  const strange = await suspectOurKey(parts, { origin, size, root, note });
  if (strange) await parts.guard.check();
}
