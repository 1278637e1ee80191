import { REPLICA } from './pair.js';

export type FastPaths = 'on' | 'off';

/**
 * A suite on boards that answer before Express is entered, and on boards where
 * Express alone answers: what a fast path gives has to be the same. Boards of two
 * processes have no fast paths.
 */
export function bothWays(
  title: string,
  suite: (fastPaths: FastPaths) => void,
): void {
  if (REPLICA === undefined) describe(title, () => suite('on'));
  describe(`${title}, with FAST_PATHS=off`, () => suite('off'));
}
