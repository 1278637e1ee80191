import type { SourceEntry } from '../../../client/export/bundle-source.js';
import type { FaultStep } from '../../../client/verify/bundle/faults.js';
import {
  type BundleVerdict,
  verifyBundle,
} from '../../../client/verify/bundle/verify-bundle.js';
import { readPins } from '../../../client/verify/verify.js';
import { fromUtf8, utf8 } from '../../../protocol/bytes.js';
import { type Entry, formatEntry } from '../../../protocol/entry.js';
import { ready } from '../../../protocol/signing.js';
import { must, taken } from '../../protocol/support/vectors.js';
import { withBundle } from '../support/bundle.js';
import {
  type Change,
  LOG_VKEY,
  logOf,
  revocation,
  signedEntries,
} from '../support/signed-log.js';

const AGENTS = 2;
/** Entries before the first message: the board and the agents' keys. */
const HEAD = 1 + AGENTS;

async function verdictOn(entries: SourceEntry[]): Promise<BundleVerdict> {
  await ready();
  const pins = taken(readPins([LOG_VKEY]));
  return await withBundle(logOf(entries), (folder) =>
    verifyBundle(folder, { pins }),
  );
}

const made = (change: Change) => signedEntries(25, { agents: AGENTS, change });
const honest = () => made(() => {});

type Post = Parameters<Change>[1];

const changed =
  (id: number, to: { [Part in 'statement' | 'entry']?: Partial<Post[Part]> }) =>
  () =>
    made((at, post) => {
      if (at !== id) return;
      Object.assign(post.statement, to.statement);
      Object.assign(post.entry, to.entry);
    });

function and(entry: Entry): SourceEntry[] {
  return [...honest(), { leaf: utf8(formatEntry(entry)), content: null }];
}

function edited(index: number, edit: (leaf: string) => string): SourceEntry[] {
  const entries = honest();
  const entry = must(entries[index]);
  entries[index] = { ...entry, leaf: utf8(edit(must(fromUtf8(entry.leaf)))) };
  return entries;
}

function swapped(a: number, b: number): SourceEntry[] {
  const entries = honest();
  [entries[a], entries[b]] = [must(entries[b]), must(entries[a])];
  return entries;
}

const AT = 1_768_478_500_000;
const NOBODY = new Uint8Array(32);

const LIES: Record<string, [FaultStep, () => SourceEntry[]]> = {
  'an entry that is not well formed': [
    'entry',
    () => edited(HEAD, (leaf) => leaf.replace('via -', 'via  -')),
  ],
  'a forged statement': [
    'signature',
    () =>
      edited(HEAD + 3, (leaf) => leaf.replace('room findings', 'room lobby')),
  ],
  'the signature of another post': [
    'signature',
    () => {
      const line = /\n— .*\n$/;
      const other = must(fromUtf8(must(honest()[HEAD + 2]).leaf));
      const [theirs = ''] = line.exec(other) ?? [];
      return edited(HEAD, (leaf) => leaf.replace(line, theirs));
    },
  ],
  'a post before its agent’s key': ['signature', () => swapped(2, HEAD)],
  'a post after its agent’s end': [
    'signature',
    () => honest().toSpliced(HEAD, 0, revocation(1)),
  ],
  'a post that names another board': [
    'entry',
    changed(9, { statement: { board: 'other.bench' } }),
  ],
  'a reply moved to another message': [
    'parent',
    changed(9, { statement: { parent: { id: 2, hash: NOBODY } } }),
  ],
  'a reply moved to another thread': [
    'parent',
    changed(24, { entry: { root: 1 } }),
  ],
  'a reply in another room': [
    'parent',
    changed(9, { statement: { room: 'lobby' } }),
  ],
  'a gap in the ids': [
    'order',
    () =>
      made((id, { entry }) => {
        if (id > 21) entry.id += 1;
      }),
  ],
  'a request that comes twice': [
    'order',
    () => {
      let first = '';
      return made((id, { statement }) => {
        if (id === 1) first = statement.request;
        if (id === 12) statement.request = first;
      });
    },
  ],
  'time that goes back': [
    'order',
    () =>
      made((id, { entry }) => {
        if (id === 9) entry.at -= 5;
      }),
  ],
  'a text that was not signed': [
    'content',
    () => {
      const entries = honest();
      const entry = must(entries[HEAD + 4]);
      entry.content = { ...must(entry.content), body: 'Other.' };
      return entries;
    },
  ],
  'a text that nothing removed, kept back': [
    'removal',
    () => {
      const entries = honest();
      must(entries[HEAD + 4]).content = null;
      return entries;
    },
  ],
  'a key event that comes twice': [
    'keys',
    () => {
      const entries = honest();
      return [...entries, must(entries[1])];
    },
  ],
  'the removal of what is not there': [
    'entry',
    () =>
      and({
        type: 'remove',
        at: AT,
        id: 99,
        target: NOBODY,
        by: 'operator',
        reason: 'spam',
        explain: null,
      }),
  ],
  'a decision about another text': [
    'entry',
    () =>
      and({
        type: 'decision',
        at: AT,
        id: 1,
        target: NOBODY,
        action: 'hide',
        explain: null,
      }),
  ],
  'the end of a poll that never was': [
    'entry',
    () =>
      and({
        type: 'poll',
        at: AT,
        id: 1,
        poll: 1,
        counts: [1, 0],
        voters: 1,
        result: 'insufficient_votes',
        winner: null,
      }),
  ],
  'a second identity with the same seq': [
    'identity',
    () => {
      const entries = honest();
      return [...entries, must(entries[0])];
    },
  ],
};

describe('the check of a log that its board has signed', () => {
  it('finds nothing wrong with an honest one', async () => {
    const { faults, bundle } = await verdictOn(honest());
    expect(faults).to.deep.equal({ first: [], count: 0 });
    expect(bundle).to.include({ messages: 25, agents: AGENTS, size: 28 });
  });

  for (const [lie, [step, entries]] of Object.entries(LIES)) {
    it(`finds ${lie}`, async () => {
      const { faults } = await verdictOn(entries());
      expect(faults.first.map((fault) => fault.step)).to.include(step);
    });
  }

  it('counts every fault and keeps the first', async () => {
    const entries = honest().map((entry) => ({ ...entry, content: null }));
    const { faults } = await verdictOn(entries);
    expect(faults.count).to.equal(25);
    expect(faults.first).to.have.length(20);
  });
});
