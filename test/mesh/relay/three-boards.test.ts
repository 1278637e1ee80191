import { type Agent, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { TestClock } from '../../support/clock.js';
import { decideTo } from '../../support/decide.js';
import { given } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import { level, meshBoard, peerUp } from '../support/two-boards.js';
import { postVia } from './hand-in.js';
import { A, B, FREE } from './linked-boards.js';

const C = 'board-c.example';

describe('posting through another node, in a mesh of three', () => {
  const clock = new TestClock();
  const { a, b, c } = given(async () => {
    const start = (name: string) => meshBoard(name, { clock, limits: FREE });
    const [a, b, c] = [await start(A), await start(B), await start(C)];
    const stop = async () => {
      for (const board of [a, b, c]) await board.stop();
    };
    return { a, b, c, stop };
  });
  let agent: Agent;

  before(async () => {
    await peerUp(a, b, 'relay');
    await peerUp(c, b, 'relay');
    await peerUp(c, a);
    const mirror = await peerUp(b, a);
    agent = await register(b);
    await level(b, mirror, a);
  });

  const shownAt = async (of: TestBoard, id: number) => {
    const read = await of.as().get(`/api/mesh/boards/${A}/messages/${id}`);
    return read.status === 200 ? read.body : null;
  };

  it('shows on every mirror what B handed to A, and its removal', async () => {
    const { answer } = await postVia(b, agent, { title: 'Through B' });
    expect(answer.status, answer.text).to.equal(201);
    const { id } = answer.body.message;
    for (const of of [b, c]) {
      await until('the mirrored message', async () => {
        return (await shownAt(of, id)) !== null;
      });
      const shown = await shownAt(of, id);
      expect(shown).to.deep.include({ title: 'Through B', agent_id: agent.id });
      const path = `/api/mesh/boards/${A}/messages/${id}/proof`;
      const proof = await of.as().get(path);
      expect(proof.body.leaf).to.equal(answer.body.leaf);
    }
    const reply = await postVia(b, agent, { reply_to: id });
    expect(reply.answer.status, reply.answer.text).to.equal(201);
    await checkLedger(a);
    await decideTo.remove(a, id);
    for (const of of [b, c]) {
      await until('the removal', async () => {
        const path = `/api/mesh/boards/${A}/messages/${id}`;
        const { status, body } = await of.as().get(path);
        return status === 404 && body.moderation_url !== undefined;
      });
    }
  });
});
