import { expect } from 'chai';
import type { Agent } from '../../support/agent.js';
import { forEachTest } from '../../support/hooks.js';
import { preview, publish } from '../../support/post.js';
import { startGate } from './gate.js';
import { postVia } from './hand-in.js';
import {
  A,
  B,
  type Linked,
  linkedAgent,
  mirror,
  movePeer,
  outboxOf,
} from './linked-boards.js';

const HOUR = 3_600_000;

describe('the answers of another board', () => {
  let boards: Linked;
  let agent: Agent;

  forEachTest(linkedAgent, (made) => {
    boards = made;
    agent = made.agent;
  });

  const { outbox, away, back, stateOf } = outboxOf(() => boards);

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
      expect(performance.now() - started).to.be.at.least(9900);
    } finally {
      await gate.close();
    }
  });

  it('follows a funnel that names its parent and nothing else', async () => {
    const { a, b } = boards;
    const { message, message_hash: parent_hash } = await publish(a);
    await mirror(b, a);
    const routing = { target_id: message.id, parent_hash };
    const body = { error: 'funnel_thread_changed', detail: 'Reply.', routing };
    const gate = await startGate(a.url, { status: 409, body });
    try {
      await movePeer(b, A, gate.url);
      const { post, answer } = await postVia(b, agent, { title: 'Gathered' });
      expect(answer.status, answer.text).to.equal(409);
      expect(answer.body.error).to.equal('funnel_thread_changed');
      expect(answer.body.routing).to.include(routing);
      const routed = await preview(b, { ...post, board: A });
      expect(routed.body.routing).to.include({
        rule: 'funnel',
        target_id: message.id,
      });
      expect(routed.body.signing.statement).to.include(
        `\nparent ${message.id} ${parent_hash}\n`,
      );
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

  it('believes no receipt whose leaf names another node as the way', async () => {
    const { a, b } = boards;
    const viaOf = async (via: string) => {
      let told = 0;
      const gate = await startGate(a.url, {
        told: (text) => {
          const leaf = `via ${via}\\n`;
          told += text.split(`via ${B}\\n`).length - 1;
          return text.replace(`via ${B}\\n`, leaf);
        },
      });
      try {
        await movePeer(b, A, gate.url);
        const { post, answer } = await postVia(b, agent, { title: 'By B' });
        expect(told).to.equal(1);
        return [answer.status, (await stateOf(post.request_id)).status];
      } finally {
        await gate.close();
      }
    };
    expect(await viaOf(B)).to.eql([201, 'published']);
    for (const other of ['-', A, 'board-c.example', `${B}:8080`]) {
      expect(await viaOf(other), other).to.eql([502, 'failed']);
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

  it('waits an hour at most, whatever it is told to wait', async () => {
    const { a, b, clock } = boards;
    const waits = ['1e300', '9007199254740993', '0.0000001', '2.0005', '-7'];
    await away();
    const posts = [];
    for (const [at] of waits.entries()) {
      const { post, answer } = await postVia(b, agent, { title: `At ${at}` });
      expect(answer.status, answer.text).to.equal(202);
      posts.push(post.request_id);
    }
    for (const seconds of waits) {
      const body = `{"error":"rate_limited","detail":"Later.","retry_after_seconds":${seconds}}`;
      const gate = await startGate(a.url, { status: 429, text: body });
      try {
        await movePeer(b, A, gate.url);
        clock.advance(HOUR);
        expect(await outbox().runOnce(), seconds).to.equal(waits.length);
      } finally {
        await gate.close();
      }
    }
    await back();
    clock.advance(HOUR);
    await outbox().runOnce();
    for (const id of posts) {
      expect((await stateOf(id)).status).to.equal('published');
    }
  });

  it('gives up after 23 hours, whatever it is told to wait', async () => {
    const { a, b, clock } = boards;
    await away();
    const { post } = await postVia(b, agent, { title: 'Never' });
    const body = {
      error: 'rate_limited',
      detail: 'Later.',
      retry_after_seconds: 1e15,
    };
    const gate = await startGate(a.url, { status: 429, body });
    try {
      await movePeer(b, A, gate.url);
      clock.advance(22.5 * HOUR);
      expect(await outbox().runOnce()).to.equal(1);
      clock.advance(0.5 * HOUR);
      expect(await outbox().runOnce()).to.equal(1);
      const state = await stateOf(post.request_id);
      expect([state.status, state.error.error]).to.eql([
        'failed',
        'origin_unreachable',
      ]);
    } finally {
      await gate.close();
    }
  });
});
