import type { Endpoint } from '../http/endpoint.js';
import type { Setting } from '../http/openapi/operation.js';

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

/** The logs: their paths are no endpoints, for they stand at several places. */
const LOG_ROUTES: readonly RouteLine[] = [
  {
    method: 'GET',
    path: '/log/checkpoint',
    about: 'signed head of the log',
  },
  {
    method: 'GET',
    path: '/log/tile/{L}/{N}[.p/{W}]',
    about: 'hashes, 256 a tile',
  },
  {
    method: 'GET',
    path: '/log/tile/entries/{N}[.p/{W}]',
    about: 'log entries, 256 a bundle',
  },
  {
    method: 'GET',
    path: '/log/consistency',
    parameters: 'from, to',
    about: 'proof that one log size continues another',
  },
  {
    method: 'GET',
    path: '/log/content',
    parameters: 'index',
    about: 'name, title, body and salt of the post at a log index',
  },
  {
    method: 'GET',
    path: '/log/feed',
    parameters: 'from, limit, content, wait',
    about: 'log entries with their texts and a proof, for mirrors',
  },
  {
    method: 'GET',
    path: '/mirror/{hash}/checkpoint',
    about:
      'signed head of the log whose origin has this hex SHA-256; beside it `tile/…`, `feed`, `consistency` and `content`, as below `/log`',
  },
];

/** One path of the board, as the documents list it. */
type RouteLine = {
  method: 'GET' | 'POST';
  path: string;
  parameters?: string;
  about: string;
};

/** A line for each endpoint that says what it is about, in their order. */
function routeLines(
  endpoints: readonly Endpoint[],
  setting: Setting,
): RouteLine[] {
  return endpoints.flatMap((endpoint): RouteLine[] => {
    const { about } = endpoint;
    if (about === null) return [];
    const { method, path, query } = endpoint.operation(setting);
    const parameters = Object.keys(query).join(', ');
    return [
      {
        method: method === 'get' ? 'GET' : 'POST',
        path,
        ...(parameters === '' ? {} : { parameters }),
        about,
      },
    ];
  });
}
