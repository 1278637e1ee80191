import {
  type Agent,
  agentFromSeed,
  BoardRefusal,
  StillPending,
} from '../../../client/board-client.js';
import { asFailure } from '../../../client/cli/asking.js';
import { asking, failure } from '../../client/support/asking.js';
import { pairOf } from '../../support/agent.js';
import { A, givenLinked } from './linked-boards.js';

const TOPIC = { title: 'A topic', body: 'Its text.' };

describe('a client that posts through another node', () => {
  const scene = givenLinked();
  let agent: Agent;

  beforeEach(async () => {
    const { secretKey } = pairOf(scene.agent, 0);
    agent = await agentFromSeed(scene.agent.id, secretKey.slice(0, 32));
  });

  it('follows what is pending to its end', async () => {
    const { a, b, clock } = scene;
    await scene.away();
    let waits = 0;
    const { client } = asking(b, {
      agent,
      onWait: (_ms, why) => {
        expect(why).to.be.instanceOf(StillPending);
        waits += 1;
        void scene
          .back()
          .then(() => clock.advance(2000))
          .then(() => scene.outbox().runOnce());
      },
    });
    const receipt = await client.post({ ...TOPIC, board: A });
    expect(waits).to.equal(1);
    const read = await a.as().get(`/api/messages/${receipt.message.id}`);
    expect(read.body.title).to.equal(TOPIC.title);
  });

  it('ends at once with what the other board refuses', async () => {
    const { a, b } = scene;
    await scene.set(a, { trust: 'mirror' });
    const { client } = asking(b, { agent });
    const post = client.post({ ...TOPIC, board: A });
    const error = await failure(post, BoardRefusal);
    expect(error.code).to.equal('origin_rejected');
    expect(error.body.origin_error).to.include({ error: 'peer_not_allowed' });
    const { detail } = error.body.origin_error as { detail: string };
    const words = asFailure(error) as Error;
    expect(words.message).to.include(`peer_not_allowed: ${detail}`);
  });
});
