import {
  inclusionLine,
  isTlogProof,
  NO_PINS,
  type Pins,
  proofLine,
  readPins,
  refusalLine,
  verifyProofText,
  verifyTlogProofText,
} from '../../../client/verify/verify.js';
import { fromHex } from '../../../protocol/bytes.js';
import { ED25519, formatVkey, makeVkey } from '../../../protocol/vkey.js';
import { edits, must, taken, vectors } from '../../protocol/support/vectors.js';

const TEXT = JSON.stringify(vectors.proof);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const pins: Pins = taken(
  readPins([vectors.log.vkey, '', '# a note', vectors.log.cosigner_vkey]),
);

/** Where each member of the proof's JSON begins, in bytes. */
const MEMBERS = Object.keys(vectors.proof).map((name) => {
  const before = TEXT.slice(0, TEXT.indexOf(`"${name}":`));
  return { name, from: bytesOf(before).length };
});

function memberAt(at: number): string {
  return (MEMBERS.findLast(({ from }) => from <= at) ?? must(MEMBERS[0])).name;
}

/** The step that finds a change of each member, other than of its form. */
const STEPS: Record<string, string[]> = {
  format: [],
  state: [],
  board: ['entry'],
  origin: ['log_pin'],
  log_vkey: ['checkpoint'],
  message_id: ['entry'],
  signature_status: [],
  agent_id: ['entry'],
  key_seq: ['key_chain'],
  keys: ['key_chain'],
  index: ['inclusion'],
  leaf: ['inclusion'],
  content: ['content'],
  inclusion: ['inclusion'],
  checkpoint: ['checkpoint'],
  cosigners: ['checkpoint'],
  content_trust: [],
};

describe('the offline check of a proof', () => {
  it('says what is proven and what is not, in one line', async () => {
    const proof = taken(await verifyProofText(bytesOf(TEXT), pins));
    expect(proof).to.include({
      board: 'board-a.example',
      messageId: 3,
      index: 4,
      size: 11,
      pinned: true,
      contentVerified: true,
    });
    expect(proof.cosigners).to.deep.equal(['board-b.example/mirror']);
    const line = proofLine(proof);
    expect(line).to.match(/^Proven: a1\S+ signed exactly this text; /);
    expect(line).to.include('cosigned by board-b.example/mirror');
    expect(line).to.include('Not proven: that the key is unrevoked today');
    expect(line).not.to.include('\n');
  });

  it('takes the log’s key from the proof, and says that it is not proven', async () => {
    const proof = taken(await verifyProofText(bytesOf(TEXT), NO_PINS));
    expect(proof.pinned).to.equal(false);
    expect(proofLine(proof)).to.include(
      'that this is the log key of board-a.example (pin it)',
    );
    expect(proofLine(proof)).to.include('no pinned cosigner signed');
  });

  it('refuses the proof of a log that is not pinned', async () => {
    const other = taken(readPins([vectors.board_keys.board_b.log.vkey]));
    const verdict = await verifyProofText(bytesOf(TEXT), other);
    expect(verdict).to.deep.equal({ ok: false, reason: 'log_pin' });
  });

  it('refuses every edited byte, and names the step', async () => {
    const seen = new Map<string, Set<string>>();
    for (const [at, edited] of edits(bytesOf(TEXT))) {
      const verdict = await verifyProofText(edited, pins);
      const member = memberAt(at);
      expect(verdict.ok, `byte ${at} of ${member}`).to.equal(false);
      if (verdict.ok) continue;
      const steps = seen.get(member) ?? new Set();
      seen.set(member, steps.add(verdict.reason));
      expect(
        ['bad_proof', ...must(STEPS[member])],
        `byte ${at} of ${member}`,
      ).to.include(verdict.reason);
      expect(refusalLine(verdict.reason)).to.match(/^Not proven: step \w+ /);
    }
    expect([...seen.keys()]).to.have.members(Object.keys(STEPS));
    for (const [member, steps] of Object.entries(STEPS)) {
      for (const step of steps) {
        expect(seen.get(member), member).to.include(step);
      }
    }
  });

  it('refuses what is no proof at all', async () => {
    const { content_trust: _, ...untrusted } = vectors.proof;
    const texts = [
      '',
      'null',
      '[]',
      '{}',
      `\ufeff${TEXT}`,
      JSON.stringify({ ...vectors.proof, format: 'reserve-board/proof/v2' }),
      JSON.stringify(untrusted),
      JSON.stringify({ ...vectors.proof, keys: Array(65).fill('x') }),
      `${TEXT}${' '.repeat(1_000_000)}`,
    ];
    for (const text of texts) {
      const verdict = await verifyProofText(bytesOf(text), pins);
      expect(verdict).to.deep.equal({ ok: false, reason: 'bad_proof' });
    }
  });

  it('refuses a cosigner that did not sign, or not under its own name', async () => {
    const [listed] = vectors.proof.cosigners;
    const { log } = vectors.board_keys.board_b;
    for (const cosigner of [
      { ...listed, board: 'board-c.example' },
      { ...listed, name: 'board-c.example/mirror' },
      { ...listed, vkey: log.vkey },
      { ...listed, vkey: vectors.board_keys.board_a.mirror.vkey },
    ]) {
      const changed = { ...vectors.proof, cosigners: [listed, cosigner] };
      const bytes = bytesOf(JSON.stringify(changed));
      const verdict = await verifyProofText(bytes, NO_PINS);
      expect(verdict).to.deep.equal({ ok: false, reason: 'checkpoint' });
    }
  });

  it('refuses a pinned cosigner’s bad line, whether it is listed or not', async () => {
    const checkpoint = vectors.proof.checkpoint.replace('fBHHw', 'fBHHx');
    const changed = { ...vectors.proof, cosigners: [], checkpoint };
    const bytes = bytesOf(JSON.stringify(changed));
    expect((await verifyProofText(bytes, pins)).ok).to.equal(false);
    const signed = { ...vectors.proof, cosigners: [] };
    const counted = taken(
      await verifyProofText(bytesOf(JSON.stringify(signed)), pins),
    );
    expect(counted.cosigners).to.have.length(1);
  });

  it('pins logs and cosigners, and no weak or other keys', () => {
    const { node } = vectors.board_keys.board_a;
    const small = must(fromHex(vectors.negative.small_order_public_key_hex));
    const weak = formatVkey(makeVkey('board-a.example/log', ED25519, small));
    for (const vkey of ['x', node.vkey, `${vectors.log.vkey}x`, weak]) {
      expect(readPins([vkey]), vkey).to.deep.equal({
        ok: false,
        reason: 'bad_vkey',
      });
    }
    expect(pins.logs).to.have.length(1);
    expect(pins.cosigners).to.have.length(1);
  });
});

const TLOG_PROOF = bytesOf(vectors.proof_tlog_text);
const LEAF = bytesOf(must(vectors.log.leaves[4]).leaf);

describe('the offline check of a tlog-proof', () => {
  it('proves that the log holds the entry, and no more', async () => {
    expect(isTlogProof(TLOG_PROOF)).to.equal(true);
    expect(isTlogProof(bytesOf('{}'))).to.equal(false);
    const proof = taken(await verifyTlogProofText(TLOG_PROOF, LEAF, pins));
    expect(proof).to.deep.equal({
      messageId: 3,
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
    const verdict = await verifyTlogProofText(TLOG_PROOF, LEAF, NO_PINS);
    expect(verdict).to.deep.equal({ ok: false, reason: 'log_pin' });
  });

  it('refuses every edited byte, save that an unknown line counts for nothing', async () => {
    const line = vectors.proof_tlog_text.indexOf('— board-b');
    const cosigned = bytesOf(vectors.proof_tlog_text.slice(0, line)).length;
    for (let at = 0; at < TLOG_PROOF.length; at += 1) {
      const edited = Uint8Array.from(TLOG_PROOF);
      edited[at] = must(TLOG_PROOF[at]) ^ 1;
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
      const verdict = await verifyTlogProofText(TLOG_PROOF, edited, pins);
      expect(verdict).to.deep.equal({ ok: false, reason: 'inclusion' });
    }
  });
});
