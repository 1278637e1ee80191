import type { Row } from '../plan.js';

/** F: the mesh. */
export const MESH: readonly Row[] = [
  {
    id: 'F1',
    what: 'boards that show two histories',
    least: 200,
    tests: ['mesh/witness/equivocation'],
  },
  {
    id: 'F2',
    what: 'signatures, proofs and keys at the edges',
    least: 3940,
    tests: ['mesh/pull/edge-signatures', 'mesh/pull/rewrites'],
  },
  {
    id: 'F3',
    what: 'pages too large, texts over a limit',
    least: 16,
    tests: ['mesh/pull/peer-client-limits#F3', 'mesh/pull/entries'],
  },
  {
    id: 'F4',
    what: 'drips, stalls and bodies without an end',
    least: 24,
    tests: ['mesh/pull/peer-client-limits#F4', 'mesh/pull/rounds#F4'],
  },
  {
    id: 'F5',
    what: 'redirects of every kind',
    least: 40,
    tests: ['mesh/pull/peer-client#F5'],
  },
  {
    id: 'F6',
    what: 'addresses that are not public, and rebinding',
    least: 240,
    tests: ['mesh/pull/peer-client#F6', 'mesh/pull/canaries'],
  },
  {
    id: 'F7',
    what: 'pages that do not prove themselves, cursors that stand still',
    least: 15,
    tests: ['mesh/pull/rounds'],
  },
  {
    id: 'F8',
    what: 'peers whose clocks are wrong',
    least: 4,
    tests: ['mesh/pull/entries#F8'],
  },
  {
    id: 'F9',
    what: 'entries sent again, and by five peers',
    least: { ci: 24, full: 10_000 },
    tests: ['mesh/pull/rounds#F9'],
  },
  {
    id: 'F10',
    what: 'partitions of five boards while they write',
    least: { ci: 5, full: 30 },
    tests: ['mesh/partitions/partitions'],
  },
  {
    id: 'F11',
    what: 'databases destroyed and rebuilt from mirrors',
    least: { ci: 1, full: 10 },
    tests: ['mesh/guard/rebuilt', 'mesh/guard/restore'],
  },
  {
    id: 'F12',
    what: 'kills and cuts in a ring and in a full mesh',
    least: { ci: 2, full: 40 },
    tests: [
      'mesh/partitions/killed-mesh',
      'mesh/partitions/traffic',
      'mesh/witness/ring',
    ],
  },
  {
    id: 'F13',
    what: 'gzip bombs and stacked encodings',
    least: 31,
    tests: ['mesh/pull/peer-client-limits#F13'],
  },
  {
    id: 'F14',
    what: 'hostile mirrored texts, names and origins',
    least: 70,
    tests: ['mesh/boards/hostile', 'mesh/hostile/logs', 'mesh/hostile/liars'],
  },
  {
    id: 'F15',
    what: 'removals here and there',
    least: { ci: 15, full: 50 },
    tests: ['mesh/boards/removals'],
  },
  {
    id: 'F16',
    what: 'peers that are unknown, paused, or have another key',
    least: 20,
    tests: ['mesh/witness/may-not-act#F16', 'mesh/pull/rounds#F16'],
  },
  {
    id: 'F17',
    what: 'rewrites of signed bytes',
    least: 5000,
    tests: ['protocol/rewrites', 'mesh/pull/rewrites'],
  },
  {
    id: 'F18',
    what: 'generated lies of logs, mirrors and relays',
    // Of cheap lies, of who a board is and in single answers, 20,000 of each
    // kind; of pages and posts 2,000; of whole logs, each of an origin of its
    // own that is pulled and read, 300. More of these take hours.
    least: { ci: 300, full: 64_000 },
    tests: [
      'mesh/hostile/generated-pages',
      'mesh/hostile/generated-logs',
      'mesh/hostile/generated-answers',
      'mesh/hostile/generated-identity',
      'mesh/relay/generated',
    ],
  },
  {
    id: 'F19',
    what: 'strangers at the relay, forged hops, slow bodies, boards that lie to it',
    least: { ci: 700, full: 4900 },
    tests: ['mesh/relay/attacked', 'mesh/relay/slow-bodies'],
  },
];
