import fc from 'fast-check';
import { toHex, utf8 } from '../../protocol/bytes.js';
import { cosign } from '../../protocol/checkpoint.js';
import {
  formatNote,
  openNote,
  parseNote,
  parseSignatureLine,
  signatureLine,
  signNote,
} from '../../protocol/note.js';
import {
  COSIGNATURE,
  ED25519,
  formatVkey,
  makeVkey,
  parseVkey,
} from '../../protocol/vkey.js';
import {
  b64,
  must,
  refusal,
  taken,
  testPair,
  vectors,
  vkey,
} from './support/vectors.js';

const { log, board_keys, agent_keys } = vectors;
const logKey = vkey(log.vkey);
const mirrorKey = vkey(log.cosigner_vkey);
const note = log.checkpoint;
const dash = '\u2014';

const allNotes = [
  vectors.identity_note,
  log.checkpoint,
  log.checkpoint_cosigned,
  vectors.relay.relay_note,
  vectors.evidence.same_size.first,
  ...vectors.messages.flatMap((message) => message.note ?? []),
  ...vectors.proof.keys,
];

describe('vkey', () => {
  const keys = [
    ...Object.values(board_keys.board_a),
    ...Object.values(board_keys.board_b),
  ];

  it('makes and reads the keys of the vectors', () => {
    for (const { name, vkey: text, key_id_hex, public_key_b64 } of keys) {
      const type = name.endsWith('/mirror') ? COSIGNATURE : ED25519;
      const made = makeVkey(name, type, b64(public_key_b64));
      expect(toHex(made.keyId)).to.equal(key_id_hex);
      expect(formatVkey(made)).to.equal(text);
      expect(taken(parseVkey(text))).to.deep.equal(made);
    }
    for (const key of agent_keys.agent_1.keys) {
      expect(toHex(vkey(key.vkey).keyId)).to.equal(key.key_id_hex);
    }
  });

  it('changes no bytes of any key it reads', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        const made = makeVkey('a.example/log', ED25519, key);
        expect(taken(parseVkey(formatVkey(made)))).to.deep.equal(made);
      }),
    );
  });

  const [name, id, key] = log.vkey.split('+');
  for (const text of [
    '',
    '++',
    `${name}+${id}`,
    `+${id}+${key}`,
    `${name}+c99201de+${key}`,
    `${name}+C99201DF+${key}`,
    `${name} x+${id}+${key}`,
    `${name}+${id}+${key}=`,
    `${name}+${id}+${key}\n`,
    `${name}+${id}+${key?.slice(0, -4)}`,
    formatVkey({ ...logKey, type: 6 as never }),
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(refusal(parseVkey(text))).to.equal('bad_vkey');
    });
  }
});

describe('note', () => {
  it('reads every note of the vectors and writes it back', () => {
    for (const raw of allNotes) {
      const parsed = taken(parseNote(raw));
      expect(formatNote(parsed)).to.equal(raw);
      expect(parsed.signatures.map(signatureLine).join('')).to.equal(
        raw.slice(parsed.text.length + 1),
      );
    }
  });

  it('signs as the vectors do', () => {
    const pair = testPair(1);
    const key = makeVkey('a.example/log', ED25519, pair.publicKey);
    const raw = signNote('text\n', [{ vkey: key, pair }]);
    expect(taken(openNote(raw, [key])).verified).to.deep.equal([key]);
    expect(() => signNote('text\n', [{ vkey: mirrorKey, pair }])).to.throw();
  });

  it('names the known keys that signed, cosigners too', () => {
    const opened = taken(
      openNote(log.checkpoint_cosigned, [mirrorKey, logKey]),
    );
    expect(opened.verified).to.deep.equal([mirrorKey, logKey]);
    expect(opened.text).to.equal(log.checkpoint_body);
  });

  it('ignores lines of unknown keys', () => {
    const line = `${dash} someone.example ${Buffer.alloc(9).toString('base64')}\n`;
    expect(taken(openNote(note + line, [logKey])).verified).to.have.length(1);
    const known = [mirrorKey];
    expect(refusal(openNote(note, known))).to.equal('no_known_signature');
    expect(refusal(openNote(note, []))).to.equal('no_known_signature');
  });

  it('refuses the whole note for one bad line of a known key', () => {
    const { text, signatures } = taken(parseNote(log.checkpoint_cosigned));
    const broken = signatures.map((line) => {
      if (line.name !== mirrorKey.name) return line;
      const signature = line.signature.slice();
      signature[71] = must(signature[71]) ^ 1;
      return { ...line, signature };
    });
    const raw = formatNote({ text, signatures: broken });
    expect(openNote(raw, [logKey]).ok).to.equal(true);
    expect(refusal(openNote(raw, [logKey, mirrorKey]))).to.equal(
      'signature_invalid',
    );
    const twice = formatNote({ text, signatures: [...signatures, ...broken] });
    expect(refusal(openNote(twice, [mirrorKey]))).to.equal('signature_invalid');
  });

  it('never takes a signature of one type for the other', () => {
    const pair = testPair(2);
    const text = log.checkpoint_body;
    const plain = makeVkey('k.example/x', ED25519, pair.publicKey);
    const timed = makeVkey('k.example/x', COSIGNATURE, pair.publicKey);
    const line = cosign(text, 5, { vkey: timed, pair });
    const posing = { ...line, keyId: plain.keyId };
    const raw = formatNote({ text, signatures: [posing] });
    expect(refusal(openNote(raw, [plain]))).to.equal('signature_invalid');
  });

  it('verifies no note with one byte changed in text or signature', () => {
    const keys = [logKey, mirrorKey];
    const raw = utf8(log.checkpoint_cosigned);
    const dashes = new Set([0xe2, 0x80, 0x94]);
    for (let at = 0; at < raw.length; at += 1) {
      if (dashes.has(must(raw[at]))) continue;
      for (const bit of [1, 2, 4, 8, 16, 32, 64]) {
        const mutated = raw.slice();
        mutated[at] = must(mutated[at]) ^ bit;
        const opened = openNote(Buffer.from(mutated).toString(), keys);
        const whole = opened.ok && opened.value.verified.length === 2;
        expect(whole, `byte ${at} bit ${bit}`).to.equal(false);
      }
    }
  });

  it('holds at most 32 lines and 16 KiB', () => {
    const { text, signatures } = taken(parseNote(note));
    const line = must(signatures[0]);
    const lines = (count: number) =>
      formatNote({ text, signatures: new Array(count).fill(line) });
    expect(parseNote(lines(32)).ok).to.equal(true);
    expect(parseNote(lines(33)).ok).to.equal(false);
    const tail = `\n${signatureLine(line)}`;
    const room = 16_384 - utf8(tail).length - 1;
    expect(parseNote(`${'x'.repeat(room)}\n${tail}`).ok).to.equal(true);
    expect(parseNote(`${'x'.repeat(room + 1)}\n${tail}`).ok).to.equal(false);
    const wide = '\u{1f701}'.repeat(room / 4 + 1);
    expect(parseNote(`${wide}\n${tail}`).ok).to.equal(false);
  });

  it('divides at the last blank line', () => {
    const { signatures } = taken(parseNote(note));
    const text = 'a\n\nb\n';
    const raw = formatNote({ text, signatures });
    expect(taken(parseNote(raw)).text).to.equal(text);
  });

  const line = note.slice(note.indexOf(dash));
  for (const [why, raw] of Object.entries({
    'an empty string': '',
    'two line feeds': '\n\n',
    'no signature': log.checkpoint_body,
    'a blank line and nothing': `${log.checkpoint_body}\n`,
    'no final line feed': note.slice(0, -1),
    'a line after the signatures': `${note}x\n`,
    'a carriage return': note.replace('11\n', '11\r\n'),
    'a tab': note.replace('11\n', '1\t1\n'),
    'a NUL': note.replace('11\n', '11\u0000\n'),
    'an unpaired surrogate': note.replace('11\n', '11\ud800\n'),
    'a hyphen for the dash': note.replace(dash, '-'),
    'two spaces': note.replace(`${dash} `, `${dash}  `),
    'a plus in the name': note.replace('/log y', '/l+g y'),
    'a space at the end': note.replace(/\n$/, ' \n'),
    'base64 without padding': note.replace(/=+\n$/, '\n'),
    'base64 of 4 bytes': `text\n\n${dash} k.example AAAAAA==\n`,
    'no name': `text\n\n${dash}  AAAAAAAAAAAA\n`,
    'an unbreakable space in the name': `text\n\n${dash} a\u00a0b AAAAAAAA\n`,
  })) {
    it(`refuses ${why}`, () => {
      expect(refusal(parseNote(raw))).to.equal('bad_note');
    });
  }

  it('reads a signature line only with its line feed', () => {
    const parsed = must(parseSignatureLine(line));
    expect(parsed.name).to.equal('board-a.example/log');
    expect(signatureLine(parsed)).to.equal(line);
    for (const text of [line.trim(), `\n${line}`, `${line}\n`, '', '\n']) {
      expect(parseSignatureLine(text)).to.equal(null);
    }
  });
});
