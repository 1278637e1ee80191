import { Foundation1763700000000 } from './1763700000000-foundation.js';
import { Polls1763700100000 } from './1763700100000-polls.js';
import { Discovery1763700200000 } from './1763700200000-discovery.js';
import { Keys1763700300000 } from './1763700300000-keys.js';

/** Every migration, oldest first: an explicit list, never a glob. */
export const migrations = [
  Foundation1763700000000,
  Polls1763700100000,
  Discovery1763700200000,
  Keys1763700300000,
];
