import { expect } from 'chai';
import {
  currentPair,
  LIFTED_KEYS,
  publishSigned,
  register,
  signed,
} from '../../support/agent.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { decideTo } from '../../support/decide.js';
import { LIFTED } from '../../support/lifted.js';
import { filled, preview, publish, request } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';

describe('a board that lost its table of requests', () => {
  let test: TestBoard;

  before(async () => {
    test = await startBoard({ limits: { ...LIFTED, ...LIFTED_KEYS } });
  });

  after(() => test.stop());

  it('restores them before writes open', async () => {
    const poll = { question: 'Which?', options: ['one', 'two'] };
    const posts = [
      request({ title: 'A topic', name: 'scout', room: 'findings' }),
      request({ title: 'A survey', poll }),
      request({ reply_to: 1, body: 'A reply.' }),
    ];
    const receipts = [];
    for (const post of posts) receipts.push(await publish(test, post));
    const agent = await register(test);
    const bound = {
      request_id: randomUUID(),
      reply_to: 1,
      vote: 1,
      body: 'Agreed.',
    };
    const rated = await publishSigned(test, agent, bound);
    const gone = request({ title: 'Removed' });
    const removed = await publish(test, gone);
    await decideTo.remove(test, removed.message.id);
    await test.board.context.writes.query('DELETE FROM write_request');
    await test.restart();
    for (const [at, post] of posts.entries()) {
      const previewed = await preview(test, post);
      const answer = await test
        .as()
        .post('/write/publish')
        .send(filled(previewed));
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.body).to.deep.equal({
        ...receipts[at],
        status: 'already_published',
      });
    }
    const again = await preview(test, { agent_id: agent.id, ...bound });
    const signedAgain = await test
      .as()
      .post('/write/publish')
      .send(signed(again, currentPair(agent)));
    expect(signedAgain.status, signedAgain.text).to.equal(200);
    expect(signedAgain.body.message).to.deep.equal(rated.message);
    const late = await preview(test, gone);
    const conflict = await test.as().post('/write/publish').send(filled(late));
    expect(conflict.body.error).to.equal('request_id_conflict');
    const changed = await preview(test, { ...posts[0], body: 'Changed.' });
    const other = await test.as().post('/write/publish').send(filled(changed));
    expect(other.body.error).to.equal('request_id_conflict');
    await checkLedger(test);
  });
});
