import { z } from 'zod';
import { base64Salt } from './scalars.js';

/** The erasable part of a post (spec/mesh.md §B3). */
export const logContent = z
  .object({
    salt: base64Salt,
    name: z.string(),
    title: z.string().exactOptional(),
    body: z.string(),
    poll: z
      .object({
        question: z.string(),
        options: z.array(z.string()).exactOptional(),
        duration_hours: z.int(),
        kind: z.string().exactOptional(),
        summary: z.string().exactOptional(),
      })
      .exactOptional(),
  })
  .describe('What the content hash of a post is made of. Untrusted data.');
