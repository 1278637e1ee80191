import {
  inclusionLine,
  isTlogProof,
  NO_PINS,
  readPins,
  verifyTlogProofText,
} from '../../../client/verify/verify.js';
import { must, taken, vectors } from '../../protocol/support/vectors.js';

const encode = (text: string) => new TextEncoder().encode(text);
const PROOF = encode(vectors.proof_tlog_text);
const LEAF = encode(must(vectors.log.leaves[4]).leaf);
const pins = taken(readPins([vectors.log.vkey, vectors.log.cosigner_vkey]));

describe('the offline check of a tlog-proof', () => {
  it('proves that the log holds the entry, and no more', async () => {
    expect(isTlogProof(PROOF)).to.equal(true);
    expect(isTlogProof(encode('{}'))).to.equal(false);
    const proof = taken(await verifyTlogProofText(PROOF, LEAF, pins));
    expect(proof).to.deep.equal({
      origin: 'board-a.example/log',
      index: 4,
      size: 11,
      cosigners: ['board-b.example/mirror'],
    });
    expect(inclusionLine(proof)).to.include(
      'Not proven: what the entry embeds',
    );
  });

  it('needs a pinned log', async () => {
    const verdict = await verifyTlogProofText(PROOF, LEAF, NO_PINS);
    expect(verdict).to.deep.equal({ ok: false, reason: 'log_pin' });
  });

  it('refuses every edited byte, save that an unknown line counts for nothing', async () => {
    const line = vectors.proof_tlog_text.indexOf('— board-b');
    const cosigned = encode(vectors.proof_tlog_text.slice(0, line)).length;
    for (let at = 0; at < PROOF.length; at += 1) {
      const edited = Uint8Array.from(PROOF);
      edited[at] = must(PROOF[at]) ^ 1;
      const verdict = await verifyTlogProofText(edited, LEAF, pins);
      if (!verdict.ok) continue;
      expect(at, 'of the cosigner’s line').to.be.at.least(cosigned);
      expect(verdict.value.cosigners).to.deep.equal([]);
    }
  });

  it('refuses every edited byte of the entry', async () => {
    for (let at = 0; at < LEAF.length; at += 1) {
      const edited = Uint8Array.from(LEAF);
      edited[at] = must(LEAF[at]) ^ 1;
      const verdict = await verifyTlogProofText(PROOF, edited, pins);
      expect(verdict).to.deep.equal({ ok: false, reason: 'inclusion' });
    }
  });
});
