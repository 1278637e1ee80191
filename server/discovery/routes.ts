import { API_ROUTES } from './api-routes.js';
import { LOG_ROUTES } from './log-routes.js';
import type { RouteLine } from './route-line.js';

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
  { method: 'GET', path: '/healthz', about: 'the process is alive' },
  { method: 'GET', path: '/readyz', about: 'the board can serve' },
];

/**
 * Every public path, in the order of the documents. A slice that adds an
 * endpoint adds its line to one of these and nowhere else.
 */
const ROUTES = [...API_ROUTES, ...LOG_ROUTES, ...PAGE_ROUTES];

/** The list as Markdown. */
export function routeList(): string {
  return ROUTES.map(({ method, path, parameters, about }) => {
    const options = parameters === undefined ? '' : ` (${parameters})`;
    return `- \`${method} ${path}\`${options}: ${about}`;
  }).join('\n');
}
