import type { Mutant } from './mutant.js';

/** In the protocol and between boards. */
export const MESH_MUTANTS: readonly Mutant[] = [
  {
    id: '11-other-verifier',
    bug: 'Signatures are verified with node:crypto, which takes keys and signatures that libsodium refuses.',
    class: 'F',
    caughtBy: ['test/protocol/signing.test.ts'],
  },
  {
    id: '12-redirect-followed',
    bug: 'The outbound client follows a redirect of a peer.',
    class: 'F',
    caughtBy: ['test/mesh/pull/peer-client.test.ts'],
  },
  {
    id: '13-one-address-vetted',
    bug: 'Of the addresses of a name only the first is looked at.',
    class: 'F',
    caughtBy: ['test/mesh/pull/peer-client.test.ts'],
  },
  {
    id: '14-socket-not-vetted',
    bug: 'The address of a peer is vetted at the look-up only, and not at the socket that came of it.',
    class: 'F',
    caughtBy: ['test/mesh/pull/peer-client.test.ts'],
  },
  {
    id: '15-cursor-before-rows',
    bug: 'The cursor of a mirror moves in a transaction of its own, before the rows of its page are stored.',
    class: 'F',
    caughtBy: ['test/mesh/pull/mirror.test.ts'],
  },
  {
    id: '16-content-not-hashed',
    bug: 'A mirrored text is kept without its hash being compared with the signed one.',
    class: 'F',
    caughtBy: ['test/mesh/pull/entries.test.ts'],
  },
  {
    id: '18-text-left-in-mirror',
    bug: 'What its own board removed stays findable where it is mirrored.',
    class: 'F',
    caughtBy: ['test/mesh/pull/mirror.test.ts'],
  },
  {
    id: '22-leaf-without-prefix',
    bug: 'A leaf of the log is hashed without the byte that tells it from an inner node.',
    class: 'F',
    caughtBy: ['test/protocol/tree.test.ts'],
  },
  {
    id: '23-equal-sizes-unproven',
    bug: 'Of two heads of one size the roots are not compared.',
    class: 'F',
    caughtBy: ['test/protocol/tree.test.ts'],
  },
  {
    id: '24-fork-overlooked',
    bug: 'A page of the same size with another root passes for nothing new.',
    class: 'F',
    caughtBy: ['test/protocol/feed.test.ts'],
  },
  {
    id: '26-relay-replayed',
    bug: 'A board takes a relay note that was written for another board.',
    class: 'F',
    caughtBy: ['test/mesh/relay/accept.test.ts'],
  },
  {
    id: '27-mirrors-in-own-counters',
    bug: 'What this board mirrors counts as its own.',
    class: 'F',
    caughtBy: ['test/mesh/boards/reading.test.ts'],
  },
  {
    id: '42-cosigned-unstored',
    bug: 'A cosignature is taken over a head that this board has never stored.',
    class: 'F',
    caughtBy: ['test/mesh/witness/cosign.test.ts'],
  },
  {
    id: '47-unpacked-without-end',
    bug: 'What a peer sends packed is unpacked without a bound.',
    class: 'F',
    caughtBy: ['test/mesh/pull/peer-client-limits.test.ts'],
  },
  {
    id: '51-liar-not-quarantined',
    bug: 'A peer whose fork is proven is pulled on.',
    class: 'F',
    caughtBy: ['test/mesh/witness/equivocation.test.ts'],
  },
  {
    id: '56-other-way-believed',
    bug: 'A relaying node believes a receipt whose leaf says that another node relayed the post.',
    class: 'F',
    caughtBy: ['test/mesh/relay/answers.test.ts'],
  },
  {
    id: '57-stored-while-paused',
    bug: 'A page that is under way when its peer is paused is stored afterwards.',
    class: 'F',
    caughtBy: ['test/mesh/pull/paused.test.ts'],
  },
  {
    id: '58-paused-pulled-on',
    bug: 'A paused peer is asked for more.',
    class: 'F',
    caughtBy: ['test/mesh/pull/paused.test.ts'],
  },
  {
    id: '65-page-of-another-log',
    bug: 'A page that names another log than the one that signed it is taken.',
    class: 'F',
    caughtBy: ['test/protocol/feed.test.ts'],
  },
  {
    id: '69-rules-for-own-only',
    bug: 'Mirrored texts are not held to the limits of this board’s own.',
    class: 'F',
    caughtBy: ['test/mesh/pull/entries.test.ts'],
  },
  {
    id: '70-log-begun-twice',
    bug: 'A start begins a log with any seed whose database is empty.',
    class: 'F',
    caughtBy: ['test/mesh/history/seed-alone.test.ts'],
  },
  {
    id: '71-seed-never-used',
    bug: 'The mark of a seed that has signed nothing stays when it signs.',
    class: 'F',
    caughtBy: ['test/server/cli/first-start.test.ts'],
  },
  {
    id: '74-moved-port-taken',
    bug: 'A peer that names another port of its host is asked there, and nobody has confirmed it.',
    class: 'F',
    caughtBy: [
      'test/mesh/peers/moved.test.ts',
      'test/mesh/peers/same-address.test.ts',
    ],
  },
  {
    id: '75-death-slept-through',
    bug: 'The mirrors of a dead origin wait for the end of its back-off.',
    class: 'F',
    caughtBy: ['test/mesh/pull/dead-origin-times.test.ts'],
  },
];
