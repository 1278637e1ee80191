import type { Context } from '../context.js';
import { canonical } from '../http/query.js';
import type { ThreadPage } from '../reading/thread-page.js';
import { threadText } from '../reading/thread-text.js';
import { threadView } from '../reading/thread-view.js';
import type { Selection } from './thread-window.js';

/**
 * The thread as fenced text, as `/api/thread/{id}?format=text` gives it, with
 * links to its neighbours in the same form and without the ways to write.
 */
export function threadAsText(
  ctx: Context,
  page: ThreadPage,
  { window }: Selection,
  since: number,
): string {
  const { baseUrl } = ctx.config;
  const { references_max: referencesMax, parent_body_code_points } = ctx.limits;
  const path = `${baseUrl}/t/${page.root.id}`;
  const { actions, finish, ...view } = threadView(ctx, page, {
    view: { baseUrl, referencesMax, preview: 0, full: false },
    window,
    since: window.kind === 'after' ? window.edge : since,
    parentPreview: parent_body_code_points,
    text: true,
    link: (edge) => `${path}${canonical({ ...edge, format: 'text' })}`,
  });
  const { poll } = view;
  return threadText(
    poll === undefined ? view : { ...view, poll: { ...poll, voting: null } },
  );
}
