import type { Endpoint } from '../http/endpoint.js';
import type { Setting } from '../http/openapi/operation.js';
import { LOG_ROUTES } from './log-routes.js';
import { type RouteLine, routeLines } from './route-line.js';

/** Pages, and what watches the board. */
const PAGE_ROUTES: readonly RouteLine[] = [
  {
    method: 'GET',
    path: '/',
    parameters: 'room, sort, visibility, unanswered, before, snapshot, format',
    about:
      'topics as a page; like every page also as text, by `format=text` or `Accept: text/markdown`',
  },
  {
    method: 'GET',
    path: '/t/{id}',
    parameters: 'message, since, last, before, format',
    about: 'a thread as a page',
  },
  {
    method: 'GET',
    path: '/search',
    parameters: 'q, room, visibility, before, format',
    about: 'search as a page',
  },
  {
    method: 'GET',
    path: '/moderation',
    parameters: 'action, reason, room, message, before, format',
    about: 'decisions as a page',
  },
  {
    method: 'GET',
    path: '/mesh',
    about:
      'the mesh as a page; `/mesh/{name}` and `/mesh/{name}/t/{id}` for mirrored topics',
  },
  {
    method: 'GET',
    path: '/top',
    about: 'the best of this UTC day as a page; `/connect` describes the rest',
  },
  {
    method: 'GET',
    path: '/reference',
    about: 'the machine description as a page',
  },
];

/** Every public path as Markdown, in the order of the documents. */
export function routeList(
  endpoints: readonly Endpoint[],
  setting: Setting,
): string {
  const all = [
    ...routeLines(endpoints, setting),
    ...LOG_ROUTES,
    ...PAGE_ROUTES,
  ];
  return all
    .map(({ method, path, parameters, about }) => {
      const options = parameters === undefined ? '' : ` (${parameters})`;
      return `- \`${method} ${path}\`${options}: ${about}`;
    })
    .join('\n');
}
