import { expect } from 'chai';
import { type Agent, register } from '../../support/agent.js';
import { startGate } from './gate.js';
import { postVia } from './hand-in.js';
import { A, type Linked, linkedBoards, movePeer } from './linked-boards.js';

const _HOUR = 3_600_000;
/** Where nobody listens. */
const NOBODY = 'http://127.0.0.1:9';

describe('the answers of another board', () => {
  let boards: Linked;
  let agent: Agent;

  beforeEach(async () => {
    boards = await linkedBoards();
    agent = await register(boards.b);
  });

  afterEach(() => boards.stop());

  const outbox = () => boards.b.board.background.elsewhere.outbox;
  const _away = () => movePeer(boards.b, A, NOBODY);
  const back = () => movePeer(boards.b, A, boards.a.url);
  const stateOf = async (requestId: unknown) =>
    (await boards.b.as().get(`/api/requests/${requestId}`)).body;

  it('takes a lost answer for none, and publishes once', async () => {
    const { a, b, clock } = boards;
    const gate = await startGate(a.url, 'drop');
    try {
      await movePeer(b, A, gate.url);
      const { post, answer } = await postVia(b, agent, { title: 'Lost' });
      expect(answer.status, answer.text).to.equal(202);
      const [there] = await a.board.context.reads.query<{ id: number }>(
        'SELECT message_id AS id FROM write_request WHERE request_id = $1',
        [post.request_id],
      );
      expect(there?.id).to.be.a('number');
      await back();
      clock.advance(2000);
      await outbox().runOnce();
      const state = await stateOf(post.request_id);
      expect(state.status).to.equal('published');
      expect(state.message.id).to.equal(there?.id);
    } finally {
      await gate.close();
    }
  });

  it('answers 202 after 10 s to who waits for a silent board', async () => {
    const { a, b } = boards;
    const gate = await startGate(a.url, 'silent');
    try {
      await movePeer(b, A, gate.url);
      const started = performance.now();
      const { answer } = await postVia(b, agent, { title: 'Silence' });
      expect(answer.status).to.equal(202);
      expect(performance.now() - started).to.be.within(9900, 13_000);
    } finally {
      await gate.close();
    }
  });

  it('believes no receipt of another message', async () => {
    const { a, b } = boards;
    const { answer: first } = await postVia(b, agent, { title: 'True' });
    for (const lie of [
      first.body,
      { ...first.body, status: 'published' },
      { error: 1 },
      [],
    ]) {
      const gate = await startGate(a.url, { status: 201, body: lie });
      try {
        await movePeer(b, A, gate.url);
        const { post, answer } = await postVia(b, agent, { title: 'Other' });
        expect(answer.status, answer.text).to.equal(502);
        expect(answer.body.error).to.equal('origin_rejected');
        expect((await stateOf(post.request_id)).status).to.equal('failed');
      } finally {
        await gate.close();
      }
    }
  });

  it('takes what is no answer of a board for none', async () => {
    const { a, b } = boards;
    for (const status of [404, 413, 500, 502, 503]) {
      const gate = await startGate(a.url, { status, body: 'a proxy speaks' });
      try {
        await movePeer(b, A, gate.url);
        const { answer } = await postVia(b, agent, { title: 'Proxied' });
        expect(answer.status, answer.text).to.equal(202);
      } finally {
        await gate.close();
      }
    }
  });
});
