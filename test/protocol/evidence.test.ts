import { sha256, toBase64, toHex, utf8 } from '../../protocol/bytes.js';
import { consistencyPrefix } from '../../protocol/consistency.js';
import {
  type Evidence,
  evidenceHash,
  formatEvidence,
  parseEvidence,
  verifyEvidence,
} from '../../protocol/evidence.js';
import { foldRoots } from '../../protocol/tree.js';
import { b64, must, refusal, taken, vectors } from './support/vectors.js';

const { same_size, prefix } = vectors.evidence;
const read = (json: unknown) => parseEvidence(utf8(JSON.stringify(json)));
const equal = taken(read(same_size));
const grown = taken(read(prefix));
const verify = (evidence: Evidence, changed: Partial<Evidence>) =>
  verifyEvidence({ ...evidence, ...changed });

describe('evidence', () => {
  it('of the vectors stands and is written in their bytes', () => {
    for (const json of [same_size, prefix]) {
      const evidence = taken(read(json));
      const text = formatEvidence(evidence);
      expect(verifyEvidence(evidence)).to.equal(true);
      expect(text).to.equal(JSON.stringify(json));
      expect(evidenceHash(text)).to.deep.equal(sha256(utf8(text)));
    }
    expect(utf8(formatEvidence(equal))).to.have.length(581);
    expect(utf8(formatEvidence(grown))).to.have.length(894);
  });

  it('of the vectors proves a fork at each power of two', () => {
    const { forks } = vectors.judgements;
    expect(forks.map(({ size }) => size)).to.deep.equal([
      ...[1, 2, 4, 8, 16, 32, 64, 128, 256],
    ]);
    for (const { size, to, evidence, ...fork } of forks) {
      const read = taken(parseEvidence(utf8(evidence)));
      expect(verifyEvidence(read), `${size}`).to.equal(true);
      expect(toHex(evidenceHash(evidence))).to.equal(fork.evidence_sha256_hex);
      const given = fork.hashes?.map(b64);
      const prefix =
        given === undefined
          ? {
              root: foldRoots(must(fork.leaf_hashes).map(b64)),
              consistency: must(fork.consistency).map(b64),
            }
          : consistencyPrefix(size, to, given);
      expect(read.prefix, `${size}`).to.deep.equal(prefix);
    }
  });

  it('falls where nothing contradicts', () => {
    const { first } = equal;
    expect(verify(equal, { second: first })).to.equal(false);
    const honest = vectors.log.checkpoint;
    expect(verify(equal, { second: honest })).to.equal(false);
    const { second, first: later } = grown;
    expect(verify(grown, { first: second, second: later })).to.equal(false);
    expect(verify(grown, { first: vectors.evidence.same_size.first })).to.equal(
      false,
    );
  });

  it('falls without a proof of the other root', () => {
    const { root, consistency } = must(grown.prefix);
    const { prefix: _, ...bare } = grown;
    expect(verifyEvidence(bare)).to.equal(false);
    for (const broken of [
      { root, consistency: [] },
      { root, consistency: consistency.slice(1) },
      { root, consistency: consistency.toReversed() },
      { root: sha256(root), consistency },
    ]) {
      expect(verify(grown, { prefix: broken })).to.equal(false);
    }
    expect(verify(equal, { prefix: must(grown.prefix) })).to.equal(false);
  });

  it('falls with another key or origin', () => {
    const { log, mirror } = vectors.board_keys.board_b;
    expect(verify(equal, { logVkey: log.vkey })).to.equal(false);
    expect(verify(equal, { logVkey: mirror.vkey })).to.equal(false);
    expect(verify(equal, { logVkey: '' })).to.equal(false);
    expect(verify(equal, { origin: 'board-b.example/log' })).to.equal(false);
    expect(
      verify(equal, { origin: 'board-b.example/log', logVkey: log.vkey }),
    ).to.equal(false);
  });

  for (const [why, bytes] of Object.entries({
    nothing: utf8(''),
    'no JSON': utf8('{'),
    null: utf8('null'),
    'an array': utf8('[]'),
    'bytes that are not UTF-8': Uint8Array.of(0x22, 0xff, 0x22),
    'more than 16 KiB': utf8(JSON.stringify(same_size) + ' '.repeat(16_384)),
    'another kind': utf8(JSON.stringify({ ...same_size, kind: 'rumour' })),
    'another format': utf8(JSON.stringify({ ...same_size, format: 'x' })),
    'an unknown key': utf8(JSON.stringify({ ...same_size, comment: 'x' })),
    'a missing note': utf8(JSON.stringify({ ...same_size, first: undefined })),
    'a missing second note': utf8(JSON.stringify({ ...same_size, second: 1 })),
    'a missing origin': utf8(JSON.stringify({ ...same_size, origin: null })),
    'a root without proof': utf8(
      JSON.stringify({ ...same_size, prefix_root: prefix.prefix_root }),
    ),
    'a proof without root': utf8(
      JSON.stringify({ ...same_size, consistency: prefix.consistency }),
    ),
    '64 proof hashes': utf8(
      JSON.stringify({
        ...prefix,
        consistency: new Array(64).fill(toBase64(new Uint8Array(32))),
      }),
    ),
  })) {
    it(`refuses ${why}`, () => {
      expect(refusal(parseEvidence(bytes))).to.equal('bad_evidence');
    });
  }
});
