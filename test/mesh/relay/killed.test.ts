import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { boardKeys } from '../../../server/ledger/board-keys.js';
import { keepNewSeed } from '../../../server/ledger/board-seed.js';
import { type Running, running } from '../../server/cli/command.js';
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
import { freePort } from '../../support/free-port.js';
import { request } from '../../support/post.js';
import { randomBytes } from '../../support/random.js';
import type { Serving } from '../../support/serving.js';
import { until } from '../../support/until.js';
import { meshBoard } from '../support/two-boards.js';
import { startGate } from './gate.js';
import { A, addKnown, B, FREE } from './linked-boards.js';

/** B is a process of its own that dies after A has taken its post. */
describe('a node killed while it hands a post over', () => {
  let a: TestBoard;
  let gate: Serving;
  let node: Running;
  let agent: Agent;
  let url: string;
  let folder: string;
  let db: { url: string; drop: () => Promise<void> };
  let pool: pg.Pool;
  let env: Record<string, string>;
  let onAnswer: () => Promise<void> = () => Promise.resolve();

  const start = async () => {
    node = await running(['start', '--json'], env, /"listening"/);
  };
  const send = async (at: string, body: object) => {
    const answer = await fetch(`${url}${at}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const stateOf = async (requestId: unknown) => {
    const answer = await fetch(`${url}/api/requests/${requestId}`);
    return (await answer.json()) as Record<string, unknown>;
  };

  before(async () => {
    // The other node goes by the real time.
    const clock = Object.assign(new TestClock(), { now: () => Date.now() });
    a = await meshBoard(A, { clock, limits: FREE });
    gate = await startGate(a.url, { answered: () => onAnswer() });
    folder = await mkdtemp(path.join(tmpdir(), 'relay-'));
    db = await createDatabase();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const seed = randomBytes(32).toString('hex');
    await keepNewSeed(folder, seed);
    env = {
      PORT: String(port),
      BASE_URL: url,
      BOARD_NAME: B,
      DATA_DIR: folder,
      DATABASE_URL: db.url,
      BOARD_LIMITS: JSON.stringify({
        ...FREE,
        reads_per_network_minute: 1_000_000,
      }),
      MESH_ALLOW_HTTP: 'on',
      MESH_ALLOW_PRIVATE: 'on',
      ROLES: 'api,mesh',
      LOG_LEVEL: 'error',
    };
    await start();
    const seeds = { boardSeed: seed, logKey: null, mirrorKey: null };
    const keys = boardKeys({ ...seeds, nodeKey: null }, B, `${B}/log`);
    await addKnown(a.board.context.writes, { name: B, url, keys });
    pool = new pg.Pool({ connectionString: db.url, max: 1 });
    pool.on('error', () => {});
    const known = { name: A, url: gate.url, keys: a.board.context.keys };
    const own = await connected(db.url);
    await addKnown(own.db, known);
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
    await node.stop('SIGTERM');
    await pool.end();
    await gate.stop();
    await a.stop();
    await db.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Publishes at B, which is killed as soon as A has answered. */
  const killedAt = async (meanwhile = async () => {}) => {
    const post = request({ agent_id: agent.id, board: A });
    const previewed = await send('/write/preview', post);
    expect(previewed.status, JSON.stringify(previewed.body)).to.equal(200);
    const filled = signed(
      previewed as Parameters<typeof signed>[0],
      currentPair(agent),
    );
    onAnswer = async () => {
      onAnswer = () => Promise.resolve();
      await node.stop('SIGKILL');
    };
    const answer = await send('/write/publish', filled).catch(() => null);
    expect(answer).to.equal(null);
    const [row] = await a.board.context.reads.query<{ id: number }>(
      'SELECT message_id AS id FROM write_request WHERE request_id = $1',
      [post.request_id],
    );
    expect(row?.id).to.be.a('number');
    await meanwhile();
    await start();
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
