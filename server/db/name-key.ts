import { createHash } from 'node:crypto';
import { DEFAULT_NAME, foldedName } from '../../protocol/fold.js';

const KEY_BYTES = 16;
const NOBODYS = foldedName(DEFAULT_NAME);

/** Names are compared by this; null for the default name. */
export function nameKey(name: string): Buffer | null {
  const folded = foldedName(name);
  if (folded === NOBODYS) return null;
  return createHash('sha256').update(folded).digest().subarray(0, KEY_BYTES);
}
