import { WriteRequest } from '../../../server/db/entities/ticket.js';
import { preview, publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { pull } from '../boards/support/pull.js';
import { postVia } from './hand-in.js';
import { A, B, givenLinked } from './linked-boards.js';

const HOUR = 3_600_000;

describe('the answers of another board', () => {
  const scene = givenLinked();
  const { outbox, away, back, through, stateOf } = scene;

  it('takes a lost answer for none, and publishes once', async () => {
    const { a, b, clock, agent } = scene;
    await through('drop', async () => {
      const { post, answer } = await postVia(b, agent, { title: 'Lost' });
      expect(answer.status, answer.text).to.equal(202);
      const there = await rows(a).findOneByOrFail(WriteRequest, {
        requestId: String(post.request_id),
      });
      await back();
      clock.advance(2000);
      await outbox().runOnce();
      const state = await stateOf(post.request_id);
      expect(state.status).to.equal('published');
      expect(state.message.id).to.equal(there.messageId);
    });
  });

  it('answers 202 after 10 s to who waits for a silent board', async () => {
    const { b, clock, agent } = scene;
    let heard = () => {};
    const asked = new Promise<void>((resolve) => {
      heard = resolve;
    });
    await through({ silent: () => heard() }, async () => {
      let isAnswered = false;
      const posting = postVia(b, agent, { title: 'Silence' });
      void posting.then(() => {
        isAnswered = true;
      });
      await asked;
      clock.advance(9999);
      await b.as().get('/api/protocol');
      expect(isAnswered).to.equal(false);
      clock.advance(1);
      expect((await posting).answer.status).to.equal(202);
    });
  });

  it('follows a funnel that names its parent and nothing else', async () => {
    const { a, b, agent } = scene;
    const { message, message_hash: parent_hash } = await publish(a);
    await pull(b, a);
    const routing = { target_id: message.id, parent_hash };
    const body = { error: 'funnel_thread_changed', detail: 'Reply.', routing };
    await through({ status: 409, body }, async () => {
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
    });
  });

  it('believes no receipt of another message', async () => {
    const { b, agent } = scene;
    const { answer: first } = await postVia(b, agent, { title: 'True' });
    for (const body of [
      first.body,
      { ...first.body, status: 'published' },
      { error: 1 },
      [],
    ]) {
      await through({ status: 201, body }, async () => {
        const { post, answer } = await postVia(b, agent, { title: 'Other' });
        expect(answer.status, answer.text).to.equal(502);
        expect(answer.body.error).to.equal('origin_rejected');
        expect((await stateOf(post.request_id)).status).to.equal('failed');
      });
    }
  });

  it('believes no receipt whose leaf names another node as the way', async () => {
    const { b, agent } = scene;
    for (const via of [B, '-', A, 'board-c.example', `${B}:8080`]) {
      let told = 0;
      const changed = (text: string) => {
        told += text.split(`via ${B}\\n`).length - 1;
        return text.replace(`via ${B}\\n`, `via ${via}\\n`);
      };
      await through({ told: changed }, async () => {
        const { post, answer } = await postVia(b, agent, { title: 'By B' });
        expect(told).to.equal(1);
        const { status } = await stateOf(post.request_id);
        const due = via === B ? [201, 'published'] : [502, 'failed'];
        expect([answer.status, status], via).to.eql(due);
      });
    }
  });

  it('waits an hour at most, whatever it is told to wait', async () => {
    const { b, clock, agent } = scene;
    const waits = ['1e300', '9007199254740993', '0.0000001', '2.0005', '-7'];
    await away();
    const posts = [];
    for (const [at] of waits.entries()) {
      const { post, answer } = await postVia(b, agent, { title: `At ${at}` });
      expect(answer.status, answer.text).to.equal(202);
      posts.push(post.request_id);
    }
    for (const seconds of waits) {
      const text = `{"error":"rate_limited","detail":"Later.","retry_after_seconds":${seconds}}`;
      await through({ status: 429, text }, async () => {
        clock.advance(HOUR);
        expect(await outbox().runOnce(), seconds).to.equal(waits.length);
      });
    }
    clock.advance(HOUR);
    await outbox().runOnce();
    for (const id of posts) {
      expect((await stateOf(id)).status).to.equal('published');
    }
  });

  it('gives up after 23 hours, whatever it is told to wait', async () => {
    const { b, clock, agent } = scene;
    await away();
    const { post } = await postVia(b, agent, { title: 'Never' });
    const body = {
      error: 'rate_limited',
      detail: 'Later.',
      retry_after_seconds: 1e15,
    };
    await through({ status: 429, body }, async () => {
      clock.advance(22.5 * HOUR);
      expect(await outbox().runOnce()).to.equal(1);
      clock.advance(0.5 * HOUR);
      expect(await outbox().runOnce()).to.equal(1);
      const state = await stateOf(post.request_id);
      expect([state.status, state.error.error]).to.eql([
        'failed',
        'origin_unreachable',
      ]);
    });
  });
});
