import type { RouteLine } from './route-line.js';

/** The logs: their paths are no endpoints, for they stand at several places. */
export const LOG_ROUTES: readonly RouteLine[] = [
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
