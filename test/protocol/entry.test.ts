import fc from 'fast-check';
import { utf8 } from '../../protocol/bytes.js';
import {
  cutNote,
  DECISION_ACTIONS,
  type Entry,
  formatEntry,
  parseEntry,
  parseEntryHead,
  REMOVE_BY,
  REMOVE_REASONS,
  readAnchor,
  readPost,
} from '../../protocol/entry.js';
import { agentSigner } from '../../protocol/key-event.js';
import { formatNote, parseNote, signNote } from '../../protocol/note.js';
import { formatStatement } from '../../protocol/statement.js';
import { bytes, statement } from './support/arbitraries.js';
import { must, refusal, taken, testPair, vectors } from './support/vectors.js';

const id = fc.integer({ min: 1, max: 2 ** 53 - 2 });
const at = fc.maxSafeNat();
const explain = fc.option(bytes(32));
const target = bytes(32);
const count = fc.nat();

const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({
    type: fc.constant('remove' as const),
    at,
    id,
    target,
    by: fc.constantFrom(...REMOVE_BY),
    reason: fc.constantFrom(...REMOVE_REASONS),
    explain,
  }),
  fc.record({
    type: fc.constant('decision' as const),
    at,
    id,
    target,
    action: fc.constantFrom(...DECISION_ACTIONS),
    explain,
  }),
  fc.record({
    type: fc.constant('poll' as const),
    at,
    id,
    poll: id,
    counts: fc.array(count, { minLength: 2, maxLength: 8 }),
    voters: count,
    result: fc.constantFrom('tie', 'voided', 'insufficient_votes'),
    winner: fc.constant(null),
  }),
  fc.record({
    type: fc.constant('evidence' as const),
    at,
    origin: fc.constantFrom('a.example/log', 'a.example:81/log3'),
    kind: fc.constant('equivocation'),
    evidence: target,
  }),
);

const leaves = vectors.log.leaves.map(({ leaf }) => leaf);
const leafOf = (index: number) => must(leaves[index]);
const [board, key, guest, signed, voted] = leaves.map((leaf) => leaf);
const anchor = leafOf(10);
const stranger = '\u2014 a.example AAAAAAAAAAAAAAAA\n';

describe('entry', () => {
  it('reads and writes every leaf of the vectors', () => {
    for (const { leaf, kind, bytes: length } of vectors.log.leaves) {
      const read = taken(parseEntry(leaf));
      expect(kind.startsWith(read.type)).to.equal(true);
      if (read.type === 'unknown') throw new Error('unknown');
      expect(formatEntry(read)).to.equal(leaf);
      expect(utf8(leaf)).to.have.length(length);
    }
  });

  it('has the fields of the vectors', () => {
    const post = taken(parseEntry(leafOf(6)));
    expect(post).to.include({
      id: 4,
      root: 4,
      via: 'board-b.example',
      poll: 1,
    });
    expect(taken(parseEntry(leafOf(4)))).to.include({ voteResult: 'counted' });
    expect(taken(parseEntry(leafOf(9)))).to.deep.equal({
      type: 'poll',
      at: 1767229420000,
      id: 4,
      poll: 1,
      counts: [3, 1, 0],
      voters: 4,
      result: 'selected',
      winner: 0,
    });
    const { embedded } = taken(parseEntry(anchor)) as { embedded: string };
    expect(taken(readAnchor(embedded))).to.include({
      origin: 'board-b.example/log',
      size: 77,
      cosigner: 'board-a.example/mirror',
    });
  });

  it('reads every entry that it writes', () => {
    fc.assert(
      fc.property(entry, (value) => {
        expect(taken(parseEntry(formatEntry(value)))).to.deep.equal(value);
      }),
    );
  });

  it('reads every post that it writes, of guests and agents', () => {
    const pair = testPair(5);
    fc.assert(
      fc.property(statement, at, (value, at) => {
        const text = formatStatement(value);
        const { agent, parent, vote } = value;
        fc.pre(parent === null || parent.id < Number.MAX_SAFE_INTEGER);
        const post: Entry = {
          type: 'post',
          at,
          id: (parent?.id ?? 0) + 1,
          root: 1,
          via: null,
          ...(vote === undefined ? {} : { voteResult: 'existing' }),
          embedded:
            agent === null ? text : signNote(text, [agentSigner(agent, pair)]),
        };
        expect(taken(parseEntry(formatEntry(post)))).to.deep.equal(post);
      }),
    );
  });

  it('writes back every changed leaf that it still reads', () => {
    for (const leaf of leaves) {
      const raw = utf8(leaf);
      for (let place = 0; place < raw.length; place += 1) {
        const changed = raw.slice();
        changed[place] = must(changed[place]) ^ (1 << (place % 7));
        const other = Buffer.from(changed).toString();
        const read = parseEntry(other);
        if (!read.ok || read.value.type === 'unknown') continue;
        expect(formatEntry(read.value)).to.equal(other);
      }
    }
  });

  it('passes over types of later versions', () => {
    const later =
      'reserve-board/entry/v1\ntype future\nat 5\nanything: \u96ea\n';
    const read = { type: 'unknown', name: 'future', at: 5 };
    expect(taken(parseEntry(later))).to.deep.equal(read);
    const inherited = parseEntry(later.replace('future', 'constructor'));
    expect(taken(inherited).type).to.equal('unknown');
  });

  it('reads the id of a post that it refuses', () => {
    const leaf = `${must(signed)}x`;
    expect(refusal(parseEntry(leaf))).to.equal('bad_entry');
    const head = { type: 'post', at: 1767225602234, id: 2 };
    expect(parseEntryHead(leaf)).to.deep.equal(head);
    expect(parseEntryHead(leafOf(7))?.id).to.equal(null);
    expect(parseEntryHead('reserve-board/entry/v1\n')).to.equal(null);
    const start = 'reserve-board/entry/v1\ntype ';
    const read = (rest: string) => parseEntryHead(start + rest);
    expect(read('post\nat 5')).to.deep.equal({ type: 'post', at: 5, id: null });
    const post = { type: 'post', at: 5, id: 7 };
    expect(read('post\nat 5\nid 7')).to.deep.equal(post);
    expect(read('post\nat 5\nid 7\nroot 7\n')).to.deep.equal(post);
    expect(read('post\nat 5\nid 07')?.id).to.equal(null);
    expect(read('key\nat 5\nid 7')?.id).to.equal(null);
    for (const bad of ['post', 'post\n', 'post\nat', 'post\nat 05\n']) {
      expect(read(bad)).to.equal(null);
    }
    for (const bad of ['Post\nat 5\n', '\nat 5\n', 'post\n\nat 5\n']) {
      expect(read(bad)).to.equal(null);
    }
    expect(read(`${'t'.repeat(33)}\nat 5\n`)).to.equal(null);
    expect(parseEntryHead(` ${start}post\nat 5\n`)).to.equal(null);
  });

  it('holds at most 8192 bytes', () => {
    const head = 'reserve-board/entry/v1\ntype future\nat 5\n';
    const room = 8192 - head.length;
    expect(parseEntry(head + 'x'.repeat(room)).ok).to.equal(true);
    expect(parseEntry(head + 'x'.repeat(room + 1)).ok).to.equal(false);
    expect(parseEntry(head + '\u96ea'.repeat(room / 2)).ok).to.equal(false);
  });

  it('cuts strangers out of a note before embedding it', () => {
    const cosigned = `${vectors.log.checkpoint_cosigned}${stranger}`;
    const note = taken(parseNote(cosigned));
    const kept = cutNote(note, note.signatures.slice(0, 2));
    expect(kept).to.equal(vectors.log.checkpoint_cosigned);
  });

  it('lets no signature of another length carry text', () => {
    const longer = (leaf: string, which: number) => {
      const blank = leaf.indexOf('\n\n') + 2;
      const { text, signatures } = taken(parseNote(leaf.slice(blank)));
      const changed = signatures.map((line, at) => {
        const more = [...line.signature, ...(at === which ? [0x21] : [])];
        return { ...line, signature: Uint8Array.from(more) };
      });
      return leaf.slice(0, blank) + formatNote({ text, signatures: changed });
    };
    for (const leaf of [board, key, signed, anchor].map(must)) {
      expect(longer(leaf, 9)).to.equal(leaf);
      expect(refusal(parseEntry(longer(leaf, 0)))).to.equal('bad_entry');
    }
    for (const leaf of [board, anchor].map(must)) {
      expect(refusal(parseEntry(longer(leaf, 1)))).to.equal('bad_entry');
    }
  });

  it('tells bad notes from bad statements', () => {
    const note = must(must(vectors.messages[1]).note);
    const wrong = note.replace('room findings', 'room elsewhere');
    expect(refusal(readPost(note + stranger))).to.equal('bad_note');
    expect(refusal(readPost(wrong))).to.equal('bad_statement');
    const bare = must(vectors.messages[1]).statement;
    expect(refusal(readPost(bare))).to.equal('bad_note');
  });

  const withoutLine = (leaf: string) => leaf.replace(/\u2014.*\n$/, '');
  const reversed = (leaf: string) => {
    const blank = leaf.indexOf('\n\n') + 2;
    const { text, signatures } = taken(parseNote(leaf.slice(blank)));
    return (
      leaf.slice(0, blank) +
      formatNote({ text, signatures: signatures.toReversed() })
    );
  };
  const agent = 'a1yo4vra6fbac4f2gcfnwqle6xsiexgrox';
  const other = vectors.agent_keys.agent_2_not_rotatable.agent_id;
  const s = must(signed);
  const v = must(voted);
  const k = must(key);
  const g = must(guest);
  const b = must(board);
  for (const [why, leaf] of Object.entries({
    nothing: '',
    'another header': s.replace('entry/v1', 'entry/v2'),
    'no type': s.replace('type post\n', ''),
    'an upper-case type': s.replace('type post', 'type Post'),
    'a stranger in a post': s + stranger,
    'a stranger in a key event': k + stranger,
    'a stranger in an identity': b + stranger,
    'a stranger in an anchor': anchor + stranger,
    'a signed post without signature': withoutLine(s),
    'an identity with one signature': withoutLine(b),
    'an identity signed in another order': reversed(b),
    'an anchor without cosignature': withoutLine(anchor),
    'an anchor with its lines turned round': reversed(anchor),
    'a signature of another agent': s.replace(
      `\u2014 ${agent}`,
      `\u2014 ${other}`,
    ),
    'a key event of another agent': k.replace(
      `agent ${agent}`,
      `agent ${other}`,
    ),
    'a key event of another seq': k.replace('seq 0', 'seq 1'),
    'a guest with a signature': `${g}\n${s.slice(s.indexOf('\u2014'))}`,
    'a post without statement': g.slice(0, g.indexOf('\n\n') + 2),
    'two blank lines': s.replace('\n\n', '\n\n\n'),
    'no blank line': g.replace('\n\n', '\n'),
    'a version 2 post without vote-result': v.replace(/vote-result .*\n/, ''),
    'a version 1 post with vote-result': s.replace(
      'via -\n',
      'via -\nvote-result counted\n',
    ),
    'a vote-result of its own': v.replace('counted', 'maybe'),
    'a poll on a reply': v.replace('counted\n', 'counted\npoll 1\n'),
    'a poll with id 0': s.replace('via -\n', 'via -\npoll 0\n'),
    'fields out of order': s.replace('id 2\nroot 2', 'root 2\nid 2'),
    'a topic below another': s.replace('root 2', 'root 1'),
    'a reply before its parent': v.replace('id 3\nroot 1', 'id 1\nroot 1'),
    'a reply above its root': v.replace('root 1', 'root 2'),
    'a message with id 0': s.replace('id 2\nroot 2', 'id 0\nroot 0'),
    'a via that is no board': s.replace('via -', 'via nobody'),
    'a time with a leading zero': s.replace('\nat 1', '\nat 01'),
    'a removal with text': `${leafOf(7)}\ntext\n`,
    'a removal for a reason of its own': leafOf(7).replace('spam', 'dislike'),
    'a removal by a stranger': leafOf(7).replace('by operator', 'by anyone'),
    'an explanation in clear': leafOf(7).replace(/explain .*/, 'explain spam'),
    'an action of its own': leafOf(8).replace('keep', 'forget'),
    'a poll with one option': leafOf(9).replace('3,1,0', '3'),
    'a poll with nine options': leafOf(9).replace('3,1,0', '1,1,1,1,1,1,1,1,1'),
    'a count that is no number': leafOf(9).replace('3,1,0', '3,,0'),
    'a winner that is no option': leafOf(9).replace('winner 0', 'winner 3'),
    'a tie with a winner': leafOf(9).replace('selected', 'tie'),
    'a selection without winner': leafOf(9).replace('winner 0', 'winner -'),
    'no final line feed': leafOf(8).slice(0, -1),
    'an unpaired surrogate': 'reserve-board/entry/v1\ntype x\nat 1\n\ud800\n',
  })) {
    it(`refuses ${why}`, () => {
      expect(leaves).to.not.include(leaf);
      expect(refusal(parseEntry(leaf))).to.equal('bad_entry');
    });
  }
});
