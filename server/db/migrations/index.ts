import { Foundation1763700000000 } from './1763700000000-foundation.js';

/** Every migration, oldest first: an explicit list, never a glob. */
export const migrations = [Foundation1763700000000];
