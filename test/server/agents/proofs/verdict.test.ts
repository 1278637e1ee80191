import { KEY_EVENTS } from '../../../../protocol/limits.js';
import {
  type Agent,
  advance,
  newAgent,
  publishSigned,
  register,
} from '../../../support/agent.js';
import { decideTo } from '../../../support/decide.js';
import { givenBoard } from '../../../support/hooks.js';
import { publish } from '../../../support/post.js';

type Json = Record<string, unknown>;

/** The verdict is that of protocol/proof.ts, which removed.test.ts edits. */
describe('POST /api/proofs/verdict', () => {
  const test = givenBoard({ lifted: true });
  let agent: Agent;
  let id: number;
  let proof: Json;

  before(async () => {
    agent = await register(test);
    const post = { title: 'Signed', body: 'Judged.' };
    id = (await publishSigned(test, agent, post)).message.id;
    proof = (await test.as().get(`/api/messages/${id}/proof`)).body;
  });

  const judge = (body: object) =>
    test.as().post('/api/proofs/verdict').send(body);

  it('says of a good proof who signed what, and whose word that is', async () => {
    const byId = await judge({ message_id: id }).expect(200);
    expect(byId.body).to.include({
      valid: true,
      message_id: id,
      agent_id: agent.id,
      origin: proof.origin,
      log_vkey: proof.log_vkey,
      removed: false,
      content_verified: true,
    });
    expect(byId.body.note).to.match(/own word.*\/verify\.md/);
    const given = await judge({ proof }).expect(200);
    expect(given.body).to.deep.equal(byId.body);
  });

  it('names the step at which a proof fails', async () => {
    const content = { ...(proof.content as Json), body: 'Not judged.' };
    const cases: [Json, string][] = [
      [{}, 'bad_proof'],
      [{ ...proof, extra: 1, index: -1 }, 'bad_proof'],
      [{ ...proof, content }, 'content'],
      [{ ...proof, index: 0 }, 'inclusion'],
      [{ ...proof, inclusion: [] }, 'inclusion'],
      [{ ...proof, message_id: id + 1 }, 'entry'],
      [{ ...proof, keys: [] }, 'key_chain'],
      [{ ...proof, checkpoint: `${proof.checkpoint}x` }, 'checkpoint'],
    ];
    for (const [changed, step] of cases) {
      const { body } = await judge({ proof: changed }).expect(200);
      expect(body, step).to.include({ valid: false, failed_step: step });
      expect(body.reason).to.match(/^The proof fails: .+\.$/);
      expect(body).not.to.have.property('agent_id');
    }
  });

  it('judges by keys that it has, and no others', async () => {
    const origin = 'nobody.example/log';
    const foreign = await judge({ proof: { ...proof, origin } });
    expect([foreign.status, foreign.body.error]).to.deep.equal([
      404,
      'unknown_origin',
    ]);
    // What the proof says of the key counts for nothing.
    const claimed = { ...proof, log_vkey: 'a+00000000+AQID' };
    const { body } = await judge({ proof: claimed }).expect(200);
    expect(body).to.include({ valid: true, log_vkey: proof.log_vkey });
  });

  it('judges a removed message, and none of a guest', async () => {
    const said = await publishSigned(test, agent, { reply_to: id });
    const gone = said.message.id;
    await decideTo.remove(test, gone);
    const { body } = await judge({ message_id: gone }).expect(200);
    expect(body).to.include({ valid: true, content_verified: false });
    expect(body.removed).to.equal(true);
    const guest = await publish(test, { reply_to: id });
    const unsigned = await judge({ message_id: guest.message.id });
    expect(unsigned.body.error).to.equal('not_signed');
    const none = await judge({ message_id: 999_999 });
    expect(none.body.error).to.equal('message_not_found');
    for (const wrong of [{}, { message_id: id, proof }]) {
      const both = await judge(wrong);
      expect([both.status, both.body.field]).to.deep.equal([400, 'message_id']);
    }
  });
});

describe('POST /api/proofs/verdict for a network that sends many signatures', () => {
  const READS = 300;
  const test = givenBoard({ limits: { reads_per_network_minute: READS } });

  it('counts each of them as a read, right or wrong', async () => {
    const agent = await register(test);
    const { message } = await publishSigned(test, agent, { title: 'One' });
    const at = `/api/messages/${message.id}/proof`;
    const proof: Json = (await test.as().get(at)).body;
    const stranger = newAgent();
    while (stranger.notes.length < KEY_EVENTS) advance(stranger, 'rotate');
    const long = { ...proof, keys: stranger.notes };
    const judge = () =>
      test.as('198.51.100.9').post('/api/proofs/verdict').send({ proof: long });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const { status, body } = await judge();
      if (status === 200) expect(body.failed_step).to.equal('key_chain');
      statuses.push(status);
    }
    // A read and 65 signatures each.
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429]);
    await test.as('198.51.100.10').get(at).expect(200);
  });
});
