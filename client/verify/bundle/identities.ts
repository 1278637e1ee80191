import { equalBytes } from '../../../protocol/bytes.js';
import {
  type OpenedIdentity,
  openIdentity,
} from '../../../protocol/identity.js';
import type { Vkey } from '../../../protocol/vkey.js';
import { addFault, type Faults } from './faults.js';
import type { PlacedEntry } from './scan.js';

/**
 * The log begins with its board's identity; every later one has a higher seq
 * and is signed by the same log key (spec/mesh.md §B1). Gives the newest.
 */
export function checkIdentities(
  others: readonly PlacedEntry[],
  log: Vkey,
  faults: Faults,
): OpenedIdentity | null {
  let current: OpenedIdentity | null = null;
  for (const { index, entry } of others) {
    if (entry.type !== 'board') continue;
    const opened = openIdentity(entry.embedded, log);
    const good =
      opened.ok &&
      equalBytes(opened.value.keys.log.publicKey, log.publicKey) &&
      opened.value.origin === log.name &&
      opened.value.seq > (current?.seq ?? -1);
    if (!good) {
      addFault(faults, 'identity', index, 'an identity is not of this log');
    } else {
      current = opened.value;
    }
  }
  if (others[0]?.index !== 0 || others[0].entry.type !== 'board') {
    addFault(faults, 'identity', 0, 'the log does not begin with its board');
  }
  return current;
}
