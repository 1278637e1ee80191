import type { Context } from '../context.js';
import type { ViewOptions } from './message-view.js';

/** `preview` and `full` of a read; they do not change each other. */
export function viewOptions(
  ctx: Context,
  { preview, full }: { preview: number; full?: '1' | undefined },
): ViewOptions {
  return {
    baseUrl: ctx.config.baseUrl,
    referencesMax: ctx.limits.references_max,
    preview,
    full: full !== undefined,
  };
}
