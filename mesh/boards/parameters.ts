import { z } from 'zod';
import { EXAMPLE_BOARD } from './examples.js';

/** The board of a path below `/api/mesh/boards` (spec/mesh.md §B9). */
export const boardName = z
  .string()
  .describe('The name of a mirrored board.')
  .meta({ examples: [EXAMPLE_BOARD] });
