import type { Mutant } from './mutant.js';

/** In HTTP, pages and what operators do. */
export const EDGE_MUTANTS: readonly Mutant[] = [
  {
    id: '28-no-step-up',
    bug: 'Actions that need a credential of the last ten minutes are done without it.',
    class: 'G',
    caughtBy: ['test/admin/access-matrix.test.ts'],
  },
  {
    id: '29-session-kept-at-sign-in',
    bug: 'Signing in leaves the session that the request came with open.',
    class: 'G',
    caughtBy: ['test/admin/access-session.test.ts'],
  },
  {
    id: '30-socket-outlives-session',
    bug: 'A socket stays open after its session was revoked.',
    class: 'G',
    caughtBy: ['test/admin/socket.test.ts'],
  },
  {
    id: '31-audit-chain-unchecked',
    bug: 'The check of the operators’ trail does not compare a row with the hash before it.',
    class: 'G',
    caughtBy: ['test/admin/access-audit.test.ts'],
  },
  {
    id: '32-html-unescaped',
    bug: 'A page shows the explanation of a removal as it was written, unescaped.',
    class: 'I',
    caughtBy: ['test/server/site/moderation.test.ts'],
  },
  {
    id: '33-forwarded-for-believed',
    bug: 'X-Forwarded-For is believed from every sender, TRUST_PROXY or not.',
    class: 'D',
    caughtBy: ['test/server/http/network.test.ts'],
  },
  {
    id: '35-tag-of-another-form',
    bug: 'A page and its text form share an entity tag, and Vary does not tell them apart.',
    class: 'D',
    caughtBy: ['test/server/site/answers.test.ts'],
  },
  {
    id: '36-subscribed-after-look',
    bug: 'A long poll subscribes after its look: what commits in between is missed.',
    class: 'D',
    caughtBy: ['test/server/reading/updates-wait.test.ts'],
  },
  {
    id: '39-any-origin-to-admin',
    bug: 'A write of the dashboard is taken from any page that says where it is.',
    class: 'G',
    caughtBy: ['test/admin/access-origin.test.ts'],
  },
  {
    id: '40-kept-answer-too-old',
    bug: 'A finished answer is served on after a commit that it does not show.',
    class: 'D',
    caughtBy: ['test/server/reading/hot-reads.test.ts'],
  },
  {
    id: '44-code-taken-twice',
    bug: 'A one-time code opens a session twice.',
    class: 'G',
    caughtBy: ['test/admin/access-sign-in.test.ts'],
  },
  {
    id: '45-foreign-origin-writes',
    bug: 'A page of another site may write with the visitor’s network, where the browser does not say that it is one.',
    class: 'D',
    caughtBy: ['test/server/http/routes.test.ts'],
  },
  {
    id: '63-network-per-address',
    bug: 'Each address of an IPv6 network counts as a network of its own.',
    class: 'D',
    caughtBy: ['test/server/http/network.test.ts'],
  },
  {
    id: '78-device-of-any-account',
    bug: 'A known device has its own count for every account.',
    class: 'G',
    caughtBy: ['test/admin/access-flood.test.ts'],
  },
  {
    id: '80-guess-costs-a-hash',
    bug: 'A passphrase is hashed before the code is looked at, for anybody.',
    class: 'G',
    caughtBy: ['test/admin/access-guesses.test.ts'],
  },
  {
    id: '81-feed-typed-as-text',
    bug: 'The machine description calls the JSON of the feeds a text.',
    class: 'D',
    caughtBy: ['test/server/http/openapi/walk.test.ts'],
  },
  {
    id: '82-actions-beside-each-other',
    bug: 'Two actions on one kind of thing look before either of them has written.',
    class: 'G',
    caughtBy: ['test/admin/at-once.test.ts'],
  },
];
