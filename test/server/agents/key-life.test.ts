import vectors from '../../../docs/spec/mesh-vectors.json' with {
  type: 'json',
};
import {
  agentId,
  agentSigner,
  type KeyEvent,
  signKeyEvent,
} from '../../../protocol/key.js';
import { formatNote, signNote } from '../../../protocol/note.js';
import {
  type Agent,
  advance,
  freshPair,
  LIFTED_KEYS,
  newAgent,
  nextEvent,
  pairOf,
  record,
  register,
  sendKey,
  signEvent,
} from '../../support/agent.js';
import { givenBoard } from '../../support/hooks.js';
import { expectRefused, logSize, opened } from './refused.js';

/** Of each code that protocol/key-event.test.ts has more of. */
const MALFORMED: [string, string, () => string][] = [
  ['a text that is no note', 'bad_note', () => 'hello'],
  [
    'more than 16 KiB',
    'bad_note',
    () => `${'x'.repeat(16_385)}\n\n${newAgent().notes[0]}`,
  ],
  [
    'an agent_id that does not derive',
    'bad_statement',
    () => {
      const [agent, other] = [newAgent(), newAgent().id];
      const { text } = opened(agent.notes[0] ?? '');
      const signers = [agentSigner(other, freshPair())];
      return signNote(text.replace(agent.id, other), signers);
    },
  ],
  [
    'a key of small order',
    'weak_key',
    () => {
      const hex = vectors.negative.small_order_public_key_hex;
      const key = Buffer.from(hex, 'hex');
      const [event] = newAgent().events as [KeyEvent];
      const forged = { ...event, agent: agentId(key, null), key, next: null };
      return signKeyEvent(forged, freshPair());
    },
  ],
];

const one = vectors.agent_keys.agent_1;

describe('the life of a key, by POST and GET /api/keys', () => {
  const test = givenBoard({ limits: LIFTED_KEYS });

  it('takes the events of the vectors and shows them unchanged', async () => {
    const notes = [one.register_note, one.rotate_note, one.revoke_note];
    const indexes: number[] = [];
    for (const [seq, note] of notes.entries()) {
      const size = await logSize(test);
      const answer = await sendKey(test, note);
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.body).to.deep.equal({
        agent_id: one.agent_id,
        status: seq === 2 ? 'revoked' : 'active',
        key_seq: seq,
        log: { index: size },
      });
      expect(answer.headers['cache-control']).to.equal('no-store');
      indexes.push(size);
    }
    const shown = await test.as().get(`/api/keys/${one.agent_id}`).expect(200);
    expect(JSON.stringify(shown.body)).to.equal(
      JSON.stringify({
        agent_id: one.agent_id,
        status: 'revoked',
        key_seq: 2,
        events: notes,
        log_indexes: indexes,
      }),
    );
    expect(shown.headers.etag).to.be.a('string');
    expect(shown.headers['access-control-allow-origin']).to.equal('*');
  });

  it('answers an identical event with 200, its index and the state now', async () => {
    const agent = newAgent();
    const [first = ''] = agent.notes;
    const { log } = await record(test, first);
    const again = await sendKey(test, first).expect(200);
    const known = { agent_id: agent.id, status: 'active', key_seq: 0, log };
    expect(again.body).to.deep.equal(known);
    await record(test, advance(agent, 'rotate'));
    const size = await logSize(test);
    const late = await sendKey(test, first).expect(200);
    expect(late.body).to.deep.equal({ ...known, key_seq: 1 });
    expect(await logSize(test)).to.equal(size);
  });

  it('keeps every state over a restart', async () => {
    const agent = await register(test);
    await record(test, advance(agent, 'rotate'));
    const path = `/api/keys/${agent.id}`;
    const before = await test.as().get(path);
    await test.restart();
    const after = await test.as().get(path);
    expect(after.text).to.equal(before.text);
    expect(after.headers.etag).to.equal(before.headers.etag);
    await record(test, advance(agent, 'revoke'));
  });

  it('rotates only by the key committed to, and in order', async () => {
    const agent = await register(test);
    const rotation = nextEvent(agent, 'rotate');
    const thief = freshPair();
    const theft = { ...rotation, key: thief.publicKey };
    await expectRefused(test, signKeyEvent(theft, thief), 'signature_invalid');
    const own = { ...rotation, key: pairOf(agent, 0).publicKey };
    await expectRefused(test, signEvent(agent, own), 'signature_invalid');
    const gap = { ...rotation, seq: 2 };
    await expectRefused(test, signEvent(agent, gap), 'key_sequence');
    const prev = new Uint8Array(32).fill(1);
    const elsewhere = { ...rotation, prev };
    await expectRefused(test, signEvent(agent, elsewhere), 'key_sequence');
    await record(test, advance(agent, 'rotate'));
    // A former key names itself, or signs for the one that is next.
    const back = nextEvent(agent, 'rotate', {
      key: pairOf(agent, 0).publicKey,
    });
    await expectRefused(test, signEvent(agent, back), 'key_superseded');
    const forward = nextEvent(agent, 'rotate');
    const byOld = signKeyEvent(forward, pairOf(agent, 0));
    const { text, line } = opened(signEvent(agent, forward));
    const { signature } = opened(byOld).line;
    await expectRefused(
      test,
      formatNote({ text, signatures: [{ ...line, signature }] }),
      'key_superseded',
    );
  });

  it('ends an identity by revocation', async () => {
    const agent = await register(test);
    const note = advance(agent, 'revoke');
    expect(await record(test, note)).to.include({
      status: 'revoked',
      key_seq: 1,
    });
    expect((await sendKey(test, note)).status).to.equal(200);
    agent.pairs[2] = freshPair();
    const more = nextEvent({ ...agent }, 'revoke', {
      key: pairOf(agent, 2).publicKey,
    });
    await expectRefused(test, signEvent(agent, more), 'key_revoked');
  });

  it('records a second event of a known seq and refuses it', async () => {
    for (const before of ['register', 'rotate', 'revoke'] as const) {
      const agent = await register(test);
      if (before !== 'register') await record(test, advance(agent, before));
      await expectConflict(agent);
    }
  });

  async function expectConflict(agent: Agent): Promise<void> {
    const last = agent.events.at(-1);
    if (last === undefined) throw new Error('no event');
    const seq = agent.events.length - 1;
    const size = await logSize(test);
    const second: KeyEvent = { ...last, at: last.at + 1 };
    const note = signEvent(agent, second);
    const answer = await sendKey(test, note).expect(409);
    expect(answer.body.error).to.equal('key_conflict');
    const current = {
      agent_id: agent.id,
      status: 'conflicted',
      key_seq: seq,
      log: { index: size },
    };
    expect(answer.body.current).to.deep.equal(current);
    expect(await logSize(test), 'recorded').to.equal(size + 1);
    const shown = await test.as().get(`/api/keys/${agent.id}`);
    expect(shown.body).to.include({ status: 'conflicted', key_seq: seq });
    expect(shown.body.events).to.deep.equal([...agent.notes, note]);
    // The same again changes nothing and is answered as before.
    const again = await sendKey(test, note).expect(409);
    expect(again.body.current).to.deep.equal(current);
    const third: KeyEvent = { ...last, at: last.at + 2 };
    await expectRefused(test, signEvent(agent, third), 'key_conflict');
    const own = await sendKey(test, agent.notes[seq]).expect(200);
    expect(own.body).to.include({ status: 'conflicted', key_seq: seq });
    expect(await logSize(test)).to.equal(size + 1);
  }

  it('takes one note a hundred times at once as one event', async () => {
    const agent = newAgent();
    const size = await logSize(test);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => sendKey(test, agent.notes[0])),
    );
    const codes = answers.map(({ status }) => status).sort();
    expect(codes).to.deep.equal([...Array(99).fill(200), 201]);
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    expect(await logSize(test)).to.equal(size + 1);
  });

  it('takes two events of one seq at once as an event and a conflict', async () => {
    const agent = await register(test);
    const first = nextEvent(agent, 'rotate');
    const notes = [0, 1].map((late) =>
      signEvent(agent, { ...first, at: first.at + late }),
    );
    const size = await logSize(test);
    const answers = await Promise.all(notes.map((note) => sendKey(test, note)));
    const codes = answers.map(({ status }) => status).sort();
    expect(codes).to.deep.equal([201, 409]);
    expect(await logSize(test)).to.equal(size + 2);
    const shown = await test.as().get(`/api/keys/${agent.id}`);
    expect(shown.body).to.include({ status: 'conflicted', key_seq: 1 });
  });

  describe('a key event that is wrong in itself', () => {
    for (const [why, error, note] of MALFORMED) {
      it(`refuses ${why} as ${error}`, async () => {
        await expectRefused(test, note(), error);
      });
    }

    it('takes no parameter, and nothing of another site', async () => {
      const body = { note: newAgent().notes[0] };
      const asked = await test.post('/api/keys?note=1', body);
      expect(asked.body.error).to.equal('url_parameters_rejected');
      const cross = await test
        .post('/api/keys', body)
        .set('Origin', 'https://elsewhere.example');
      expect(cross.body.error).to.equal('forbidden');
    });
  });
});
