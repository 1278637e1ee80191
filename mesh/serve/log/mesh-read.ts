import type { Context } from '../../../server/context.js';
import { countMeshGets } from '../../count-gets.js';

/** What each read of a log or of mirrored boards spends (spec/mesh.md §B11). */
export const MESH_GETS = [
  'mesh_gets_per_network_minute',
  'mesh_get_bytes_per_network_minute',
] as const;

/** What one that waits may meet, too. */
export const MESH_WAITS = [
  'mesh_waits_per_network',
  'mesh_waits_total',
] as const;

/** What reads below `/api/mesh` declare alike. */
export const meshRead = {
  uncounted: true,
  limits: MESH_GETS,
  passes: (ctx: Context) => [countMeshGets(ctx)],
} as const;
