import type { Row } from '../plan.js';

/** A: crash and durability. */
export const CRASHES: readonly Row[] = [
  {
    id: 'A1',
    what: 'SIGKILL of the node while 8 writers publish',
    least: { ci: 10, full: 200 },
    tests: ['faults/node-killed'],
  },
  {
    id: 'A2',
    what: 'SIGKILL of PostgreSQL, then checksums and indexes looked through',
    least: { ci: 5, full: 50 },
    tests: ['faults/database-killed#comes back by itself'],
  },
  {
    id: 'A3',
    what: 'COMMIT cut before or after it was done; clients cut after asking',
    least: { ci: 100, full: 1000 },
    tests: ['server/ledger/lost-commit', 'faults/client-cut'],
  },
  {
    id: 'A4',
    what: 'the n-th query of each write fails, is lost, or its backend or node dies',
    least: { ci: 100, full: 300 },
    tests: ['faults/nth-query', 'faults/nth-query-kill'],
  },
  {
    id: 'A5',
    what: 'connections terminated and fast restarts of PostgreSQL under load',
    least: { ci: 22, full: 220 },
    tests: [
      'faults/database-killed#connections and nothing else',
      'faults/database-killed#stopped at once',
      'server/db/transactions',
    ],
  },
  {
    id: 'A6',
    what: 'disk full: of the data, of the WAL, of the log of the server',
    least: { ci: 1, full: 11 },
    tests: ['faults/disk-full'],
  },
  {
    id: 'A7',
    what: 'tables locked until every connection of the pool waits',
    least: { ci: 3, full: 30 },
    tests: ['faults/locked-tables'],
  },
  {
    id: 'A8',
    what: 'SIGTERM while polls wait and writers write',
    least: { ci: 2, full: 20 },
    tests: ['faults/stopped'],
  },
  {
    id: 'A9',
    what: 'more sockets than the process has file descriptors',
    least: { ci: 1, full: 5 },
    tests: ['faults/descriptors'],
  },
  {
    id: 'A10',
    what: 'backups under load restored, PITR, and rolled-back logs refused',
    least: { ci: 3, full: 16 },
    tests: [
      'faults/restored',
      'faults/rewound',
      'server/operations/backup/faults',
      'server/operations/backup/round-trip',
      'mesh/guard/guard',
      'mesh/guard/backup',
    ],
  },
  {
    id: 'A11',
    what: 'folders of backups that somebody has spoiled',
    least: { ci: 16, full: 600 },
    tests: ['server/operations/backup/generated-backups'],
  },
  {
    id: 'A12',
    what: 'recovery commands killed at random moments and run again',
    least: { ci: 2, full: 30 },
    tests: [
      'mesh/recover/recover',
      'mesh/recover/other-pages',
      'mesh/restore/rotate-keys',
    ],
  },
  {
    id: 'A13',
    what: 'an upgrade while writers write, and linked boards of two releases',
    least: { ci: 0, full: 2 },
    tests: ['faults/two-releases', 'server/db/upgrade'],
  },
  {
    id: 'A14',
    what: 'SIGKILL of the process that leads jobs and mirrors, of several',
    least: { ci: 0, full: 20 },
    tests: ['faults/processes'],
  },
  {
    id: 'A15',
    what: 'recovery commands twice at once, beside a node, and on a full disk; peer forget killed',
    least: { ci: 0, full: 30 },
    tests: ['mesh/recover/command-faults', 'mesh/recover/recover'],
  },
];
