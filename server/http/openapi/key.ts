import { z } from 'zod';

/** Of an agent's key, as of now (spec/mesh.md §B2). */
export const keyStatus = z.enum(['active', 'revoked', 'conflicted']);
