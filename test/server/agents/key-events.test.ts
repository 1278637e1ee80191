import { expect } from 'chai';
import {
  advance,
  LIFTED_KEYS,
  newAgent,
  record,
  register,
  sendKey,
} from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { boardForAllTests } from '../../support/hooks.js';
import vectors from '../../vectors/mesh-vectors.json' with { type: 'json' };
import { logSize } from './refused.js';

const one = vectors.agent_keys.agent_1;

describe('POST and GET /api/keys', () => {
  let test: TestBoard;

  boardForAllTests({ limits: LIFTED_KEYS }, (made) => {
    test = made;
  });

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
    const shown = await test.as().get(`/api/keys/${one.agent_id}`);
    expect(shown.status).to.equal(200);
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
    const again = await sendKey(test, first);
    expect(again.status).to.equal(200);
    const known = { agent_id: agent.id, status: 'active', key_seq: 0, log };
    expect(again.body).to.deep.equal(known);
    await record(test, advance(agent, 'rotate'));
    const size = await logSize(test);
    const late = await sendKey(test, first);
    expect(late.status).to.equal(200);
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

  for (const path of [
    'a1yo4vra6fbac4f2gcfnwqle6xsiexgroa',
    'A1YO4VRA6FBAC4F2GCFNWQLE6XSIEXGROX',
    'a1yo4vra6fbac4f2gcfnwqle6xsiexgroxx',
    'a1',
    '%00',
  ]) {
    it(`knows no key ${path}`, async () => {
      const answer = await test.as().get(`/api/keys/${path}`);
      expect(answer.status).to.equal(404);
      expect(answer.body.error).to.equal('key_not_found');
    });
  }
});
