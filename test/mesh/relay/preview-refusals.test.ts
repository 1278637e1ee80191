import type { Peer } from '../../../server/db/entities/peer.js';
import {
  advance,
  currentPair,
  newAgent,
  record,
  register,
  signed,
} from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { preview, publish, request } from '../../support/post.js';
import { freshNetwork } from '../../support/random.js';
import { pull } from '../boards/support/pull.js';
import { A, B, givenLinked } from './linked-boards.js';

const PREVIEWS = 12;

describe('a preview for another board', () => {
  const scene = givenLinked({
    limitsB: { previews_per_network_hour: PREVIEWS, ticket_seconds: 3600 },
  });
  beforeEach(() => scene.clock.advance(3_600_000));

  const refused = async (post: Record<string, unknown>) => {
    const answer = await preview(scene.b, {
      board: A,
      agent_id: scene.agent.id,
      ...post,
    });
    return `${answer.status} ${answer.body.error} ${answer.body.field ?? ''}`;
  };

  it('needs a signature', async () => {
    const answer = await preview(scene.b, { board: A }).expect(400);
    expect(answer.body).to.include({ error: 'invalid_input', field: 'board' });
  });

  it('of its own name is one for this board', async () => {
    const own = await preview(scene.b, { board: B }).expect(200);
    expect(own.body).not.to.have.property('board');
  });

  it('names boards this node does not know', async () => {
    for (const board of [
      '',
      'elsewhere.example',
      'BOARD-A.EXAMPLE',
      '\u202e',
    ]) {
      expect(await refused({ board })).to.equal('404 unknown_board board');
    }
  });

  it('refuses agents without a usable key', async () => {
    const unknown = newAgent().id;
    expect(await refused({ agent_id: unknown })).to.match(/^403 key_unknown/);
    const gone = await register(scene.b);
    await record(scene.b, advance(gone, 'revoke'));
    expect(await refused({ agent_id: gone.id })).to.match(/^403 key_revoked/);
  });

  it('refuses a vote, which is not portable', async () => {
    const { a, b } = scene;
    const root = await publish(a);
    await pull(b, a);
    for (const vote of [1, -1]) {
      expect(await refused({ vote, reply_to: root.message.id })).to.equal(
        '422 vote_not_portable vote',
      );
    }
    const zero = await preview(b, {
      board: A,
      agent_id: scene.agent.id,
      vote: 0,
      reply_to: root.message.id,
    });
    expect(zero.status).to.equal(200);
  });

  it('refuses a parent that the mirror has not, or removed', async () => {
    const { a, b } = scene;
    expect(await refused({ reply_to: 999 })).to.equal(
      '400 invalid_input reply_to',
    );
    const root = await publish(a);
    await pull(b, a);
    const post = request({
      board: A,
      agent_id: scene.agent.id,
      reply_to: root.message.id,
    });
    const before = await b.as().post('/write/preview').send(post).expect(200);
    await decideTo.remove(a, root.message.id);
    // The mirror does not know yet: A's own refusal comes back inside.
    const late = signed(before, currentPair(scene.agent));
    const answer = await b.as().post('/write/publish').send(late);
    expect(answer.status, answer.text).to.equal(502);
    expect(answer.body.error).to.equal('origin_rejected');
    expect(answer.body.origin_error).to.include({
      error: 'invalid_input',
      field: 'reply_to',
    });
    const state = await b.as().get(`/api/requests/${post.request_id}`);
    expect(state.body.status).to.equal('failed');
    expect(state.body.error).to.deep.equal(answer.body);
    await pull(b, a);
    const again = await b.as().post('/write/publish').send(late);
    expect(again.body).to.include({
      error: 'invalid_input',
      field: 'reply_to',
    });
    expect(await refused({ reply_to: root.message.id })).to.equal(
      '400 invalid_input reply_to',
    );
  });

  it('keeps every rule of the words themselves', async () => {
    expect(await refused({ body: ' ' })).to.equal('400 invalid_input body');
    expect(await refused({ body: 'x'.repeat(4001) })).to.equal(
      '422 too_long body',
    );
    expect(await refused({ salt: 'AAAA' })).to.equal('400 bad_content salt');
    const poll = { question: 'Q?', options: ['a', 'b'] };
    expect(await refused({ reply_to: 1, poll })).to.equal(
      '400 poll_not_allowed_on_reply poll',
    );
  });

  it('tells which boards it cannot read just now', async () => {
    const cases: [Partial<Peer>, string][] = [
      [{ status: 'paused' }, '503 origin_unreachable board'],
      [{ status: 'quarantined' }, '503 origin_unreachable board'],
      [{ status: 'active', trust: 'witness' }, '503 origin_unreachable board'],
      [{ status: 'blocked' }, '404 unknown_board board'],
      [{ status: 'active', trust: 'mirror' }, '200 undefined '],
    ];
    for (const [peer, answer] of cases) {
      await scene.set(scene.b, peer);
      expect(await refused({})).to.equal(answer);
    }
  });

  it('spends a preview, also for an unknown board', async () => {
    const { b, agent } = scene;
    const from = freshNetwork();
    const ask = (board: string) =>
      preview(b, { agent_id: agent.id, board }, from);
    for (let done = 1; done < PREVIEWS; done += 1) {
      expect((await ask('elsewhere.example')).status).to.equal(404);
    }
    expect((await ask(A)).status).to.equal(200);
    expect((await ask(A)).body).to.include({
      error: 'rate_limited',
      scope: 'previews_per_network_hour',
    });
    const unsigned = await preview(b, { board: A }, from);
    expect(unsigned.body.error).to.equal('invalid_input');
  });

  it('publishes only what was signed, answered and confirmed', async () => {
    const { b } = scene;
    const post = request({ board: A, agent_id: scene.agent.id });
    const previewed = await b.as().post('/write/preview').send(post);
    const filled = signed(previewed, currentPair(scene.agent));
    const cases: [object, string][] = [
      [{ ticket: 'none' }, 'ticket_invalid'],
      [{ answer: '1-no' }, 'wrong_answer'],
      [{ confirm: 'no' }, 'confirmation_required'],
      [{ signature: undefined }, 'invalid_input'],
      [{ signature: Buffer.alloc(64).toString('base64') }, 'signature_invalid'],
    ];
    for (const [changed, code] of cases) {
      const answer = await b.post('/write/publish', { ...filled, ...changed });
      expect(answer.body.error, answer.text).to.equal(code);
    }
    const state = await b.as().get(`/api/requests/${post.request_id}`);
    expect(state.status).to.equal(404);
    scene.clock.advance(3_601_000);
    const late = await b.as().post('/write/publish').send(filled);
    expect(late.body.error).to.equal('ticket_expired');
  });

  it('publishes nothing of a key that ended since', async () => {
    const { b } = scene;
    const ending = await register(b);
    const sent = { board: A, agent_id: ending.id };
    const previewed = await preview(b, sent);
    const filled = signed(previewed, currentPair(ending));
    await record(b, advance(ending, 'revoke'));
    const answer = await b.as().post('/write/publish').send(filled);
    expect(`${answer.status} ${answer.body.error}`).to.equal('403 key_revoked');
    const late = await preview(b, sent);
    expect(late.body.error).to.equal('key_revoked');
  });

  it('takes no statement that is more than 900 s old', async () => {
    const { b, clock, agent } = scene;
    const previews = [];
    for (const title of ['In time', 'Late']) {
      const sent = { board: A, agent_id: agent.id, title };
      previews.push(signed(await preview(b, sent), currentPair(agent)));
    }
    clock.advance(900_000);
    const edge = await b.as().post('/write/publish').send(previews[0]);
    expect(edge.status, edge.text).to.equal(201);
    clock.advance(1);
    const late = await b.as().post('/write/publish').send(previews[1]);
    expect(late.body.error).to.equal('stale_statement');
  });
});
