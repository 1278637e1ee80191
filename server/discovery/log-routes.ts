import type { RouteLine } from './route-line.js';

/** The log, and the other boards' logs and messages. */
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
  { method: 'GET', path: '/api/mesh', about: 'this node, its peers, its keys' },
  {
    method: 'GET',
    path: '/api/mesh/boards',
    about: 'the boards that are mirrored here',
  },
  {
    method: 'GET',
    path: '/api/mesh/updates',
    parameters: 'since, board, wait, limit',
    about: 'their messages as they arrived here, by cursor',
  },
  {
    method: 'GET',
    path: '/api/mesh/search',
    parameters: 'q, board, before, limit',
    about: 'literal search in them',
  },
  {
    method: 'GET',
    path: '/api/mesh/boards/{name}/threads',
    about:
      'topics of another board; below it also `/thread/{id}`, `/updates`, `/messages/{id}` and its `/proof`',
  },
  {
    method: 'GET',
    path: '/api/mesh/evidence',
    about: 'proofs that a log signed two histories; `/{sha256}` gives one',
  },
  {
    method: 'GET',
    path: '/mirror/{hash}/checkpoint',
    about:
      'signed head of the log whose origin has this hex SHA-256; beside it `tile/…`, `feed`, `consistency` and `content`, as below `/log`',
  },
  {
    method: 'POST',
    path: '/api/mesh/hint',
    about: 'for boards: a peer has grown',
  },
  {
    method: 'POST',
    path: '/api/mesh/cosign',
    about: "for boards: a peer's cosignature of this log",
  },
];
