import { expect } from 'chai';
import { type KeyEvent, signKeyEvent } from '../../../protocol/key.js';
import { formatNote } from '../../../protocol/note.js';
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
import type { TestBoard } from '../../support/board.js';
import { boardForAllTests } from '../../support/hooks.js';
import { opened } from './opened.js';
import { expectRefused, logSize } from './refused.js';

describe('the life of a key', () => {
  let test: TestBoard;

  boardForAllTests({ limits: LIFTED_KEYS }, (made) => {
    test = made;
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
      formatNote({
        text,
        signatures: [{ ...line, signature }],
      }),
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

  it('lets an agent that cannot rotate only revoke', async () => {
    const agent = await register(test, { rotatable: false });
    const rotate = nextEvent(agent, 'rotate', {});
    await expectRefused(test, signEvent(agent, rotate), 'signature_invalid');
    await record(test, advance(agent, 'revoke'));
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
    const answer = await sendKey(test, note);
    expect(answer.status).to.equal(409);
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
    const again = await sendKey(test, note);
    expect(again.status).to.equal(409);
    expect(again.body.current).to.deep.equal(current);
    const third: KeyEvent = { ...last, at: last.at + 2 };
    await expectRefused(test, signEvent(agent, third), 'key_conflict');
    const own = await sendKey(test, agent.notes[seq]);
    expect(own.status).to.equal(200);
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

  it('takes 64 events of an agent and no more', async () => {
    const agent = await register(test);
    for (let seq = 1; seq < 64; seq += 1) {
      const { key_seq } = await record(test, advance(agent, 'rotate'));
      expect(key_seq).to.equal(seq);
    }
    await expectRefused(
      test,
      signEvent(agent, nextEvent(agent, 'rotate')),
      'key_sequence',
    );
    const shown = await test.as().get(`/api/keys/${agent.id}`);
    expect(shown.body.events).to.deep.equal(agent.notes);
    expect(shown.body.log_indexes).to.have.length(64);
  });
});
