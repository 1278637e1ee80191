import { BOARD_MUTANTS } from './list-board.js';
import { EDGE_MUTANTS } from './list-edge.js';
import { MESH_MUTANTS } from './list-mesh.js';
import type { Mutant } from './mutant.js';

/** Every planted bug, spread over the house. */
export const MUTANTS: readonly Mutant[] = [
  ...BOARD_MUTANTS,
  ...EDGE_MUTANTS,
  ...MESH_MUTANTS,
];
