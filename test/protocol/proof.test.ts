import { signCheckpoint } from '../../protocol/checkpoint.js';
import { contentFromJson } from '../../protocol/content.js';
import { formatEntry } from '../../protocol/entry.js';
import { hashesOfPlan, inclusionPlan } from '../../protocol/plan.js';
import {
  checkProof,
  formatTlogProof,
  type Proof,
  parseTlogProof,
  proofFromJson,
  proofToJson,
  verifyProof,
} from '../../protocol/proof.js';
import { messageHash } from '../../protocol/statement.js';
import {
  appendLeaf,
  type Coord,
  emptyFrontier,
  frontierRoot,
  leafHash,
  nodeHash,
} from '../../protocol/tree.js';
import {
  must,
  refusal,
  seedPair,
  taken,
  vectors,
  vkey,
} from './support/vectors.js';

const logKey = vkey(vectors.log.vkey);
const cosigner = vkey(vectors.log.cosigner_vkey);
const proof = taken(proofFromJson(vectors.proof));
const check = (changed: Partial<Proof>) =>
  checkProof({ ...proof, ...changed }, logKey, [cosigner]);
const leaves = vectors.log.leaves.map(({ leaf }) => leaf);

/** The vectors' log with other leaves after it, and proofs in that tree. */
function grow(...more: string[]) {
  const all = [...leaves, ...more];
  const root = (coord: Coord): Uint8Array => {
    const { level, index } = coord;
    if (level === 0) return leafHash(must(all[index]));
    const left = { level: level - 1, index: index * 2 };
    return nodeHash(root(left), root({ ...left, index: left.index + 1 }));
  };
  const frontier = all.reduce(
    (grown, leaf) => appendLeaf(grown, leafHash(leaf)).frontier,
    emptyFrontier(),
  );
  const head = {
    origin: logKey.name,
    size: all.length,
    root: frontierRoot(frontier),
  };
  const pair = seedPair(vectors.board_keys.board_a.log.seed_hex);
  const inclusion = (index: number) =>
    hashesOfPlan(inclusionPlan(index, all.length), root);
  return {
    checkpoint: signCheckpoint(head, { vkey: logKey, pair }),
    inclusion,
  };
}

describe('proof', () => {
  it('of the vectors is good and reads as it was written', () => {
    expect(proofToJson(proof)).to.deep.equal(vectors.proof);
    expect(JSON.stringify(proofToJson(proof))).to.equal(
      JSON.stringify(vectors.proof),
    );
    const proven = taken(verifyProof(vectors.proof, logKey, [cosigner]));
    expect(proven).to.include({
      messageId: 3,
      index: 4,
      size: 11,
      keySeq: 0,
      agentId: vectors.agent_keys.agent_1.agent_id,
      removed: false,
      contentVerified: true,
    });
    expect(proven.cosigners).to.deep.equal([cosigner.name]);
    expect(proven.statement.vote).to.equal(1);
  });

  it('counts no cosigner that is not pinned', () => {
    expect(taken(checkProof(proof, logKey)).cosigners).to.deep.equal([]);
  });

  it('holds without content, and then proves none', () => {
    expect(taken(check({ content: null })).contentVerified).to.equal(false);
  });

  it('names the step that fails', () => {
    const other = vkey(vectors.board_keys.board_b.log.vkey);
    const key = vectors.agent_keys.agent_2_not_rotatable;
    const text = must(vectors.messages[1]).content;
    expect(refusal(checkProof(proof, other))).to.equal('checkpoint');
    expect(refusal(check({ origin: 'board-b.example/log' }))).to.equal(
      'checkpoint',
    );
    expect(refusal(check({ index: 5 }))).to.equal('inclusion');
    expect(refusal(check({ inclusion: [] }))).to.equal('inclusion');
    expect(refusal(check({ messageId: 4 }))).to.equal('entry');
    expect(refusal(check({ board: 'board-b.example' }))).to.equal('entry');
    expect(refusal(check({ agentId: key.agent_id }))).to.equal('entry');
    expect(refusal(check({ keys: [] }))).to.equal('key_chain');
    expect(refusal(check({ keys: [key.register_note] }))).to.equal('key_chain');
    expect(refusal(check({ keySeq: 1 }))).to.equal('key_chain');
    const { register_note, rotate_note, revoke_note } =
      vectors.agent_keys.agent_1;
    const ended = { keys: [register_note, rotate_note, revoke_note] };
    expect(refusal(check({ ...ended, keySeq: 2 }))).to.equal('key_chain');
    const both = { keys: [register_note, rotate_note] };
    expect(check(both).ok).to.equal(true);
    expect(refusal(check({ ...both, keySeq: 1 }))).to.equal('signature');
    const content = taken(contentFromJson(text));
    expect(refusal(check({ content }))).to.equal('content');
    expect(refusal(check({ state: 'removed' }))).to.equal('removal');
    const removal = { index: 4, leaf: proof.leaf, inclusion: proof.inclusion };
    expect(refusal(check({ removal }))).to.equal('removal');
  });

  it('is of a signed post and of no other entry of the log', () => {
    const { checkpoint, inclusion } = grow();
    const at = (index: number) =>
      check({
        ...{ index, leaf: must(leaves[index]), checkpoint },
        inclusion: inclusion(index),
      });
    expect(refusal(at(0)), 'an identity').to.equal('entry');
    expect(refusal(at(1)), 'another message or entry').to.equal('entry');
  });

  it('shows a removal, and only of this message', () => {
    const own = messageHash(must(vectors.messages[2]).statement);
    const removed = (id: number, target = own) =>
      formatEntry({
        type: 'remove',
        at: 1767229440000,
        id,
        target,
        by: 'policy',
        reason: 'other',
        explain: null,
      });
    const proven = (id: number, target = own) => {
      const leaf = removed(id, target);
      const { checkpoint, inclusion } = grow(leaf);
      const removal = { index: 11, leaf, inclusion: inclusion(11) };
      const state = 'removed' as const;
      return {
        state,
        checkpoint,
        inclusion: inclusion(4),
        content: null,
        removal,
      };
    };
    expect(taken(check(proven(3))).removed).to.equal(true);
    const shown = proofToJson({ ...proof, ...proven(3) });
    expect(taken(verifyProof(shown, logKey)).removed).to.equal(true);
    expect(refusal(check(proven(2)))).to.equal('removal');
    const other = messageHash(must(vectors.messages[1]).statement);
    expect(refusal(check(proven(3, other)))).to.equal('removal');
    const { content } = proof;
    expect(refusal(check({ ...proven(3), content }))).to.equal('removal');
    const { checkpoint, inclusion } = grow();
    const earlier = {
      index: 7,
      leaf: must(leaves[7]),
      inclusion: inclusion(7),
    };
    const wrong = {
      state: 'removed' as const,
      content: null,
      removal: earlier,
    };
    expect(
      refusal(check({ ...wrong, checkpoint, inclusion: inclusion(4) })),
    ).to.equal('removal');
  });

  it('passes over keys of later versions', () => {
    const later = { ...vectors.proof, more: 1 };
    expect(verifyProof(later, logKey).ok).to.equal(true);
  });

  for (const [why, json] of Object.entries({
    null: null,
    'a string': 'proof',
    'an array': [vectors.proof],
    'an empty object': {},
    'another format': { ...vectors.proof, format: 'reserve-board/proof/v2' },
    'a guest': { ...vectors.proof, signature_status: 'guest' },
    'another state': { ...vectors.proof, state: 'hidden' },
    'an index as text': { ...vectors.proof, index: '4' },
    'a negative index': { ...vectors.proof, index: -1 },
    'no content key': { ...vectors.proof, content: undefined },
    'keys that are no list': { ...vectors.proof, keys: 'all' },
    '64 proof hashes': {
      ...vectors.proof,
      inclusion: new Array(64).fill(vectors.proof.inclusion[0]),
    },
    'a short hash': { ...vectors.proof, inclusion: ['AAAA'] },
    'a leaf that is no text': { ...vectors.proof, leaf: {} },
    'a broken removal': { ...vectors.proof, removal: {} },
    'a broken cosigner': { ...vectors.proof, cosigners: [{ name: 'x' }] },
    'a guest without agent': { ...vectors.proof, agent_id: undefined },
  })) {
    it(`refuses ${why}`, () => {
      expect(refusal(verifyProof(json, logKey))).to.equal('bad_proof');
    });
  }

  for (const [member, step] of [
    ['board', 'entry'],
    ['origin', 'checkpoint'],
    ['checkpoint', 'checkpoint'],
  ] as const) {
    it(`proves nothing without its ${member}`, () => {
      const json = { ...vectors.proof, [member]: undefined };
      expect(refusal(verifyProof(json, logKey))).to.equal(step);
    });
  }
});

describe('tlog proof', () => {
  const text = vectors.proof_tlog_text;
  const { index, inclusion, checkpoint } = proof;

  it('has the text of the vectors', () => {
    const tlog = { index, inclusion, checkpoint };
    expect(formatTlogProof(tlog)).to.equal(text);
    expect(taken(parseTlogProof(text))).to.deep.equal(tlog);
  });

  it('carries extra data and proofs without hashes', () => {
    const tlog = {
      extra: Uint8Array.of(1, 2),
      index: 0,
      inclusion: [],
      checkpoint,
    };
    expect(taken(parseTlogProof(formatTlogProof(tlog)))).to.deep.equal(tlog);
  });

  const [hash = ''] = vectors.proof.inclusion;
  for (const [why, broken] of Object.entries({
    nothing: '',
    'another version': text.replace('@v1', '@v2'),
    'no index': text.replace('index 4\n', ''),
    'an index with a leading zero': text.replace('index 4', 'index 04'),
    'a hash that is none': text.replace(hash, 'hash'),
    'a hash without padding': text.replace(hash, hash.replace('=', '')),
    'no checkpoint': text.slice(0, text.indexOf('\n\n') + 2),
    'no blank line': text.replace('\n\n', '\n'),
    'extra after the index': text.replace('index 4\n', 'index 4\nextra AA==\n'),
    'extra with trailing bits': text.replace('index', 'extra AB==\nindex'),
    'a carriage return': text.replaceAll('\n', '\r\n'),
    '64 hashes': text.replace(hash, new Array(61).fill(hash).join('\n')),
  })) {
    it(`refuses ${why}`, () => {
      expect(refusal(parseTlogProof(broken))).to.equal('bad_proof');
    });
  }
});
