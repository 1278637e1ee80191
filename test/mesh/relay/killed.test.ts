import { expect } from 'chai';
import pg from 'pg';
import { NodeProcess } from '../../faults/node-process.js';
import {
  type Agent,
  currentPair,
  newAgent,
  signed,
} from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { TestClock } from '../../support/clock.js';
import { createDatabase } from '../../support/cluster.js';
import { connected } from '../../support/database.js';
import { request } from '../../support/post.js';
import type { Serving } from '../../support/serving.js';
import { until } from '../../support/until.js';
import { insertPeer, meshBoard, shownBy } from '../support/two-boards.js';
import { startGate } from './gate.js';
import { A, B, FREE } from './linked-boards.js';

/** B is a process of its own that dies after A has taken its post. */
describe('a node killed while it hands a post over', () => {
  let a: TestBoard;
  let gate: Serving;
  let node: NodeProcess;
  let agent: Agent;
  let db: { url: string; drop: () => Promise<void> };
  let pool: pg.Pool;
  let onAnswer: () => Promise<void> = () => Promise.resolve();

  const send = (at: string, body: object) => node.as().post(at).send(body);
  const stateOf = async (requestId: unknown) =>
    (await node.as().get(`/api/requests/${requestId}`)).body;

  before(async () => {
    // The other node goes by the real time.
    const clock = Object.assign(new TestClock(), { now: () => Date.now() });
    a = await meshBoard(A, { clock, limits: FREE });
    gate = await startGate(a.url, { answered: () => onAnswer() });
    db = await createDatabase();
    const limits = { ...FREE, reads_per_network_minute: 1_000_000 };
    node = await NodeProcess.create({
      linked: true,
      env: {
        BOARD_NAME: B,
        DATABASE_URL: db.url,
        BOARD_LIMITS: JSON.stringify(limits),
        ROLES: 'api,mesh',
      },
    });
    const facts = await shownBy(node.url);
    const both = { content: 'all' } as const;
    await a.board.context.writes.transaction((tx) =>
      insertPeer(tx, facts, 'relay', both, 1),
    );
    pool = new pg.Pool({ connectionString: db.url, max: 1 });
    pool.on('error', () => {});
    const known = { ...(await shownBy(a.url)), url: gate.url };
    const own = await connected(db.url);
    await own.db.transaction((tx) => insertPeer(tx, known, 'relay', both, 1));
    await own.end();
    await until('the mirror of A', async () => {
      const { rows } = await pool.query(
        'SELECT 1 FROM log_state WHERE origin_id > 0 AND size > 0',
      );
      return rows.length > 0;
    });
    agent = newAgent();
    await send('/api/keys', { note: agent.notes[0] });
  });

  after(async () => {
    await pool.end();
    await node.remove();
    await gate.stop();
    await a.stop();
    await db.drop();
  });

  /** Publishes at B, which is killed as soon as A has answered. */
  const killedAt = async (meanwhile = async () => {}) => {
    const post = request({ agent_id: agent.id, board: A });
    const previewed = await send('/write/preview', post);
    expect(previewed.status, JSON.stringify(previewed.body)).to.equal(200);
    const filled = signed(previewed, currentPair(agent));
    onAnswer = async () => {
      onAnswer = () => Promise.resolve();
      await node.end('SIGKILL');
    };
    const answer = await send('/write/publish', filled).catch(() => null);
    expect(answer).to.equal(null);
    const [row] = await a.board.context.reads.query<{ id: number }>(
      'SELECT message_id AS id FROM write_request WHERE request_id = $1',
      [post.request_id],
    );
    expect(row?.id).to.be.a('number');
    await meanwhile();
    await node.start();
    return { post, filled, id: row?.id };
  };

  it('answers the retry of the agent with the receipt', async () => {
    // However long it takes to start, it does not go on by itself first.
    const { post, filled, id } = await killedAt(async () => {
      await pool.query('UPDATE relay_outbox SET next_at = next_at + 3600000');
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
