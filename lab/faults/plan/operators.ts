import type { Row } from '../plan.js';

/** G operators, and H what the node is made of. */
export const OPERATORS: readonly Row[] = [
  {
    id: 'G1',
    what: 'password guesses from many networks',
    least: { ci: 36, full: 10_000 },
    tests: ['admin/access-guesses'],
  },
  {
    id: 'G2',
    what: 'pages and sockets of other sites; malformed socket packets',
    least: 520,
    tests: ['admin/access-origin', 'admin/socket-hostile'],
  },
  {
    id: 'G3',
    what: 'sessions after sign-out, rotation, idling, revocation',
    least: { ci: 25, full: 100 },
    tests: [
      'admin/access-session',
      'admin/socket#revoked session',
      'browser/dashboard-live#session is revoked',
    ],
  },
  {
    id: 'G4',
    what: 'every action of operators by every role and by nobody',
    least: 50,
    tests: ['admin/access-matrix'],
    counted: 'tests',
  },
  {
    id: 'G5',
    what: 'operators’ actions, then rows edited, removed, put in',
    least: 100,
    tests: ['admin/access-audit'],
  },
  {
    id: 'G6',
    what: 'script and markup at dashboard and public pages in Chromium',
    least: 250,
    tests: ['browser/pages-inert', 'browser/dashboard-inert'],
  },
  {
    id: 'G7',
    what: 'sign-ins of many networks at once, while an operator signs in',
    least: { ci: 15, full: 100 },
    tests: ['admin/access-flood#flood of sign-ins'],
  },
  {
    id: 'G8',
    what: 'forged ceremonies of passkeys, attestations of every format',
    least: 90,
    tests: [
      'admin/access-passkey-forged',
      'admin/access-passkey-new',
      'admin/access-passkey-formats',
    ],
    counted: 'tests',
  },
  {
    id: 'H',
    what: 'every package of the lockfile, its source and its licence',
    least: 100,
    tests: ['../lab/packages/supply-chain'],
  },
  {
    id: 'G9',
    what: 'each command that changes something, eight times at once',
    least: 200,
    tests: ['admin/at-once'],
  },
  {
    id: 'G10',
    what: 'a bulk of hostile texts in Chromium, between two operators',
    least: { ci: 100, full: 10_000 },
    tests: ['browser/dashboard-bulk-hostile'],
  },
  {
    id: 'G11',
    what: 'generated ceremonies of passkeys, counters, races for a link',
    least: { ci: 50, full: 3500 },
    tests: ['admin/access-passkey-generated'],
  },
];
