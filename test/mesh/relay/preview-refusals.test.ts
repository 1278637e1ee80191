import { expect } from 'chai';
import {
  type Agent,
  advance,
  currentPair,
  newAgent,
  record,
  register,
  signed,
} from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { forAllTests } from '../../support/hooks.js';
import { preview, publish, request } from '../../support/post.js';
import {
  A,
  B,
  type Linked,
  linkedAgent,
  linkedBoards,
  mirror,
} from './linked-boards.js';

describe('a preview for another board', () => {
  let boards: Linked;
  let agent: Agent;

  forAllTests(linkedAgent, (made) => {
    boards = made;
    agent = made.agent;
  });

  const refused = async (post: Record<string, unknown>) => {
    const answer = await preview(boards.b, {
      board: A,
      agent_id: agent.id,
      ...post,
    });
    return `${answer.status} ${answer.body.error} ${answer.body.field ?? ''}`;
  };

  it('needs a signature', async () => {
    const answer = await preview(boards.b, { board: A });
    expect(answer.status).to.equal(400);
    expect(answer.body).to.include({ error: 'invalid_input', field: 'board' });
  });

  it('of its own name is one for this board', async () => {
    const own = await preview(boards.b, { board: B });
    expect(own.status).to.equal(200);
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
    const gone = await register(boards.b);
    await record(boards.b, advance(gone, 'revoke'));
    expect(await refused({ agent_id: gone.id })).to.match(/^403 key_revoked/);
  });

  it('refuses a vote, which is not portable', async () => {
    const { a, b } = boards;
    const root = await publish(a);
    await mirror(b, a);
    for (const vote of [1, -1]) {
      expect(await refused({ vote, reply_to: root.message.id })).to.equal(
        '422 vote_not_portable vote',
      );
    }
    const zero = await preview(b, {
      board: A,
      agent_id: agent.id,
      vote: 0,
      reply_to: root.message.id,
    });
    expect(zero.status).to.equal(200);
  });

  it('refuses a parent that the mirror has not, or removed', async () => {
    const { a, b } = boards;
    expect(await refused({ reply_to: 999 })).to.equal(
      '400 invalid_input reply_to',
    );
    const root = await publish(a);
    await mirror(b, a);
    const post = request({
      board: A,
      agent_id: agent.id,
      reply_to: root.message.id,
    });
    const before = await b.as().post('/write/preview').send(post);
    expect(before.status).to.equal(200);
    await decideTo.remove(a, root.message.id);
    // The mirror does not know yet: A's own refusal comes back inside.
    const late = signed(before, currentPair(agent));
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
    await mirror(b, a);
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
    const { b } = boards;
    const { writes } = b.board.context;
    const set = (status: string, trust = 'relay') =>
      writes.query('UPDATE peer SET status = $1, trust = $2 WHERE name = $3', [
        status,
        trust,
        A,
      ]);
    try {
      for (const status of ['paused', 'quarantined']) {
        await set(status);
        expect(await refused({})).to.equal('503 origin_unreachable board');
      }
      await set('active', 'witness');
      expect(await refused({})).to.equal('503 origin_unreachable board');
      await set('blocked');
      expect(await refused({})).to.equal('404 unknown_board board');
      await set('active', 'mirror');
      expect(await refused({})).to.equal('200 undefined ');
    } finally {
      await set('active');
    }
  });

  it('spends a preview, also for an unknown board', async () => {
    const limited = await linkedBoards({
      limitsB: { previews_per_network_hour: 2 },
    });
    try {
      const { b } = limited;
      const one = await register(b);
      const sent = { agent_id: one.id, board: 'elsewhere.example' };
      expect((await preview(b, sent)).status).to.equal(404);
      expect((await preview(b, { ...sent, board: A })).status).to.equal(200);
      const third = await preview(b, { ...sent, board: A });
      expect(third.body).to.include({
        error: 'rate_limited',
        scope: 'previews_per_network_hour',
      });
      const unsigned = await preview(b, { board: A });
      expect(unsigned.body.error).to.equal('invalid_input');
    } finally {
      await limited.stop();
    }
  });

  it('publishes only what was signed, answered and confirmed', async () => {
    const { b } = boards;
    const post = request({ board: A, agent_id: agent.id });
    const previewed = await b.as().post('/write/preview').send(post);
    const filled = signed(previewed, currentPair(agent));
    const cases: [object, string][] = [
      [{ ticket: 'none' }, 'ticket_invalid'],
      [{ answer: '1-no' }, 'wrong_answer'],
      [{ confirm: 'no' }, 'confirmation_required'],
      [{ signature: undefined }, 'invalid_input'],
      [{ signature: Buffer.alloc(64).toString('base64') }, 'signature_invalid'],
    ];
    for (const [changed, code] of cases) {
      const answer = await b
        .as()
        .post('/write/publish')
        .send({ ...filled, ...changed });
      expect(answer.body.error, answer.text).to.equal(code);
    }
    const state = await b.as().get(`/api/requests/${post.request_id}`);
    expect(state.status).to.equal(404);
    boards.clock.advance(601_000);
    const late = await b.as().post('/write/publish').send(filled);
    expect(late.body.error).to.equal('ticket_expired');
  });

  it('publishes nothing of a key that ended since', async () => {
    const { b } = boards;
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
    const long = await linkedBoards({ limitsB: { ticket_seconds: 3600 } });
    try {
      const one = await register(long.b);
      const previews = [];
      for (const title of ['In time', 'Late']) {
        const sent = { board: A, agent_id: one.id, title };
        previews.push(signed(await preview(long.b, sent), currentPair(one)));
      }
      long.clock.advance(900_000);
      const edge = await long.b.as().post('/write/publish').send(previews[0]);
      expect(edge.status, edge.text).to.equal(201);
      long.clock.advance(1);
      const late = await long.b.as().post('/write/publish').send(previews[1]);
      expect(late.body.error).to.equal('stale_statement');
    } finally {
      await long.stop();
    }
  });
});
