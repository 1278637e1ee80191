import { expect } from 'chai';
import { utf8 } from '../../../protocol/bytes.js';
import { agentId, agentSigner, signKeyEvent } from '../../../protocol/key.js';
import {
  formatNote,
  type NoteSignature,
  signNote,
} from '../../../protocol/note.js';
import { signBytes } from '../../../protocol/signing.js';
import {
  type Agent,
  freshPair,
  LIFTED_KEYS,
  newAgent,
  nextEvent,
  pairOf,
  signEvent,
} from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { boardForAllTests } from '../../support/hooks.js';
import vectors from '../../vectors/mesh-vectors.json' with { type: 'json' };
import { opened } from './opened.js';
import { expectRefused } from './refused.js';

const STRANGER = '\u2014 a.example AAAAAAAAAAAAAAAA\n';

/** A note of this text under the agent's name, signed by `pair`. */
function noteOf(agent: string, text: string, pair = freshPair()): string {
  return signNote(text, [agentSigner(agent, pair)]);
}

type Scene = { agent: Agent; text: string; note: string; line: NoteSignature };

function scene(): Scene {
  const agent = newAgent();
  const [note = ''] = agent.notes;
  return { agent, note, ...opened(note) };
}

function weak(key: string): (it: Scene) => string {
  return ({ agent }) => {
    const bytes = Buffer.from(key, 'hex');
    const [event] = agent.events;
    if (event === undefined) throw new Error('no event');
    const id = agentId(bytes, null);
    const forged = { ...event, agent: id, key: bytes, next: null };
    return signKeyEvent(forged, freshPair());
  };
}

/** What is wrong with a note itself, whatever the board knows. */
const MALFORMED: [string, string, (it: Scene) => string][] = [
  ['a text that is no note', 'bad_note', () => 'hello'],
  ['a text without signature', 'bad_note', ({ text }) => text],
  ["a stranger's line", 'bad_note', ({ note }) => note + STRANGER],
  [
    'the same line twice',
    'bad_note',
    ({ text, line }) => formatNote({ text, signatures: [line, line] }),
  ],
  [
    'a short signature',
    'bad_note',
    ({ text, line }) => {
      const signature = line.signature.slice(1);
      return formatNote({ text, signatures: [{ ...line, signature }] });
    },
  ],
  ['another name', 'bad_note', ({ text }) => noteOf(newAgent().id, text)],
  ['carriage returns', 'bad_note', ({ note }) => note.replaceAll('\n', '\r\n')],
  [
    'more than 16 KiB',
    'bad_note',
    ({ note }) => `${'x'.repeat(16_385)}\n\n${note}`,
  ],
  [
    'another kind of statement',
    'bad_statement',
    ({ agent }) => noteOf(agent.id, 'reserve-board/post/v1\n'),
  ],
  [
    'a line too many',
    'bad_statement',
    ({ agent, text }) => noteOf(agent.id, `${text}more 1\n`),
  ],
  [
    'a leading zero',
    'bad_statement',
    ({ agent, text }) => noteOf(agent.id, text.replace('seq 0', 'seq 00')),
  ],
  [
    'an agent_id that does not derive',
    'bad_statement',
    ({ agent, text }) => {
      const other = newAgent().id;
      return noteOf(other, text.replace(agent.id, other));
    },
  ],
  [
    'a register of seq 1',
    'bad_statement',
    ({ agent, text }) => noteOf(agent.id, text.replace('seq 0', 'seq 1')),
  ],
  [
    'the signature of another key',
    'signature_invalid',
    ({ agent, text }) => noteOf(agent.id, text),
  ],
  [
    'a signature over another text',
    'signature_invalid',
    ({ agent, text, line }) => {
      const signature = signBytes(utf8(`${text} `), pairOf(agent, 0));
      return formatNote({ text, signatures: [{ ...line, signature }] });
    },
  ],
  [
    'a rotation of an agent never seen',
    'key_sequence',
    ({ agent }) => signEvent(agent, nextEvent(agent, 'rotate')),
  ],
  [
    'a key of small order',
    'weak_key',
    weak(vectors.negative.small_order_public_key_hex),
  ],
  [
    'a key of mixed order',
    'weak_key',
    weak(vectors.negative.mixed_order_public_key_hex),
  ],
];

describe('a key event that is wrong in itself', () => {
  let test: TestBoard;

  boardForAllTests({ limits: LIFTED_KEYS }, (made) => {
    test = made;
  });

  for (const [why, error, note] of MALFORMED) {
    it(`refuses ${why} as ${error}`, async () => {
      await expectRefused(test, note(scene()), error);
    });
  }

  it('refuses bodies of another shape', async () => {
    const post = (body: object, path = '/api/keys') =>
      test.as().post(path).send(body);
    const note = newAgent().notes[0];
    for (const [body, error, field] of [
      [{}, 'invalid_input', 'note'],
      [{ note: 1 }, 'invalid_input', 'note'],
      [{ note: null }, 'invalid_input', 'note'],
      [{ note: '' }, 'invalid_input', 'note'],
      [{ note: ' \n\u2003\u200b\n\n' }, 'invalid_input', 'note'],
      [{ note, more: 1 }, 'unknown_field', 'more'],
      [{ note: `a\0${note}` }, 'invalid_unicode', 'note'],
    ] as const) {
      const answer = await post(body);
      expect(answer.status).to.equal(400);
      expect(answer.body).to.include({ error, field });
    }
    const asked = await post({ note }, '/api/keys?note=1');
    expect(asked.body.error).to.equal('url_parameters_rejected');
    const cross = await test
      .as()
      .post('/api/keys')
      .set('Origin', 'https://elsewhere.example')
      .send({ note });
    expect(cross.body.error).to.equal('forbidden');
  });
});
