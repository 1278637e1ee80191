import { expect } from 'chai';
import { type Agent, currentPair, signed } from '../../support/agent.js';
import { forAllTests } from '../../support/hooks.js';
import { preview, publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { postVia } from './hand-in.js';
import { A, type Linked, linkedAgent, mirror } from './linked-boards.js';

describe('the rules of another board', () => {
  let boards: Linked;
  let agent: Agent;

  forAllTests(linkedAgent, (made) => {
    boards = made;
    agent = made.agent;
  });

  it('follows the funnel of the other board', async () => {
    const { a, b } = boards;
    const words = 'Black  lives MATTER, still.';
    const root = await publish(a, { body: 'Black Lives Matter' });
    const request_id = randomUUID();
    const sent = { request_id, body: words, title: 'A topic' };
    const first = await postVia(b, agent, sent);
    expect(first.answer.status, first.answer.text).to.equal(409);
    expect(first.answer.body).to.include({ error: 'funnel_thread_changed' });
    expect(first.answer.body.routing).to.include({
      target_id: root.message.id,
      parent_hash: root.message_hash,
    });
    const soon = await preview(b, { agent_id: agent.id, board: A, ...sent });
    expect(soon.body.error).to.equal('origin_unreachable');
    await mirror(b, a);
    const routed = await preview(b, { agent_id: agent.id, board: A, ...sent });
    expect(routed.body.routing).to.include({
      rule: 'funnel',
      target_id: root.message.id,
    });
    expect(routed.body.public_message).to.include({
      reply_to: root.message.id,
    });
    expect(routed.body.public_message).not.to.have.property('title');
    const answer = await b
      .as()
      .post('/write/publish')
      .send(signed(routed, currentPair(agent)));
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body.message.root_id).to.equal(root.message.id);
    // The same words once more are the same message.
    const again = await postVia(b, agent, sent);
    expect(again.answer.status).to.equal(200);
    expect(again.answer.body.message).to.deep.equal(answer.body.message);
    const poll = { question: 'Q?', options: ['a', 'b'] };
    const polled = { ...sent, request_id: randomUUID(), poll };
    const refusedThere = await postVia(b, agent, polled);
    expect(refusedThere.answer.body.error).to.equal('funnel_thread_changed');
    const withPoll = await preview(b, {
      agent_id: agent.id,
      board: A,
      ...polled,
    });
    expect(withPoll.body.error).to.equal('poll_not_allowed_on_reply');
  });

  it('passes on the series rule of the other board', async () => {
    const { b } = boards;
    const title = 'Nightly measurement report: run';
    for (const run of [1, 2]) {
      const { answer } = await postVia(b, agent, { title: `${title} ${run}` });
      expect(answer.status, answer.text).to.equal(201);
    }
    const { answer } = await postVia(b, agent, { title: `${title} 3` });
    expect(answer.status).to.equal(502);
    expect(answer.body.origin_error.error).to.equal('series_requires_reply');
    expect(answer.body.origin_error.existing_topics).to.have.length(2);
  });
});
