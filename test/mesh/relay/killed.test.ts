import {
  type Agent,
  currentPair,
  newAgent,
  signed,
} from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { TestClock } from '../../support/clock.js';
import { request } from '../../support/post.js';
import type { Serving } from '../../support/serving.js';
import { until } from '../../support/until.js';
import { nodeProcess } from '../partitions/mesh-node.js';
import { insertPeer, meshBoard, shownBy } from '../support/two-boards.js';
import { startGate } from './gate.js';
import { A, B, FREE } from './linked-boards.js';

/** B is a process of its own that dies after A has taken its post. */
describe('a node killed while it hands a post over', () => {
  let a: TestBoard;
  let gate: Serving;
  let b: Awaited<ReturnType<typeof nodeProcess>>;
  let agent: Agent;
  let onAnswer: () => Promise<void> = () => Promise.resolve();

  const send = (at: string, body: object) => b.node.as().post(at).send(body);
  const stateOf = async (requestId: unknown) =>
    (await b.node.as().get(`/api/requests/${requestId}`)).body;

  before(async () => {
    // The other node goes by the real time.
    const clock = Object.assign(new TestClock(), { now: () => Date.now() });
    a = await meshBoard(A, { clock, limits: FREE });
    gate = await startGate(a.url, { answered: () => onAnswer() });
    b = await nodeProcess(B);
    const facts = await shownBy(b.url);
    const both = { content: 'all' } as const;
    await a.board.context.writes.transaction((tx) =>
      insertPeer(tx, facts, 'relay', both, 1),
    );
    const known = { ...(await shownBy(a.url)), url: gate.url };
    await b.db.transaction((tx) => insertPeer(tx, known, 'relay', both, 1));
    await until('the mirror of A', async () => {
      const rows = await b.db.query(
        'SELECT 1 FROM log_state WHERE origin_id > 0 AND size > 0',
      );
      return rows.length > 0;
    });
    agent = newAgent();
    await send('/api/keys', { note: agent.notes[0] });
  });

  after(async () => {
    await b.stop();
    await gate.stop();
    await a.stop();
  });

  const killedAt = async (meanwhile = async () => {}) => {
    const post = request({ agent_id: agent.id, board: A });
    const previewed = await send('/write/preview', post);
    expect(previewed.status, JSON.stringify(previewed.body)).to.equal(200);
    const filled = signed(previewed, currentPair(agent));
    onAnswer = async () => {
      onAnswer = () => Promise.resolve();
      await b.node.end('SIGKILL');
    };
    const answer = await send('/write/publish', filled).catch(() => null);
    expect(answer).to.equal(null);
    const [row] = await a.board.context.reads.query<{ id: number }>(
      'SELECT message_id AS id FROM write_request WHERE request_id = $1',
      [post.request_id],
    );
    expect(row?.id).to.be.a('number');
    await meanwhile();
    await b.node.start();
    return { post, filled, id: row?.id };
  };

  it('answers the retry of the agent with the receipt', async () => {
    // However long it takes to start, it does not go on by itself first.
    const { post, filled, id } = await killedAt(async () => {
      await b.db.query('UPDATE relay_outbox SET next_at = next_at + 3600000');
    });
    expect((await stateOf(post.request_id)).status).to.equal('relay_pending');
    const again = await send('/write/publish', filled);
    expect(again.status, JSON.stringify(again.body)).to.equal(200);
    expect(again.body.message.id).to.equal(id);
  });

  it('goes on by itself after its restart', async () => {
    const { post, id } = await killedAt();
    await until(
      'the post handed over again',
      async () => (await stateOf(post.request_id)).status === 'published',
    );
    const { message } = (await stateOf(post.request_id)) as {
      message: { id: number };
    };
    expect(message.id).to.equal(id);
  });
});
