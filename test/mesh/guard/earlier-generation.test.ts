import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import { restoreOwn } from '../../../mesh/cli/log-restore.js';
import { headFile } from '../../../server/ledger/head-file.js';
import type { TestBoard } from '../../support/board.js';
import { admin, copyDatabase, createDatabase } from '../../support/cluster.js';
import { freePort } from '../../support/free-port.js';
import { preview, publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { befriend, logVkeyOf, nodeOnPort } from '../peers/node-on-port.js';

describe('a database of an earlier generation without its head file', () => {
  let env: Record<string, string>;
  let a: TestBoard;
  let b: TestBoard;
  let name: string;
  let backup: URL;
  let drop: () => Promise<void>;
  let size: number;

  const databaseOf = (url: URL) => url.pathname.slice(1);

  before(async () => {
    const port = await freePort();
    env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
    env.BOARD_SEED = 'e5'.repeat(32);
    env.DATA_DIR = await mkdtemp(path.join(os.tmpdir(), 'earlier-'));
    const made = await createDatabase();
    ({ drop } = made);
    backup = new URL(made.url);
    backup.pathname += '_backup';
    a = await nodeOnPort({ env, databaseUrl: made.url });
    name = a.board.context.board.name;
    b = await nodeOnPort();
    await befriend(a, b);
    await befriend(b, a);
    await publish(a, { body: 'In the first log.' });
    size = await mirrored('log');
    await a.stop();
    await copyDatabase(databaseOf(backup), databaseOf(new URL(made.url)));
    await newGeneration(a.board.context.config, { clock: a.clock });
    a = await nodeOnPort({ env, databaseUrl: made.url, clock: a.clock });
    await b.board.background.peers.witness.round();
    await b.board.peerAdmin.confirm(name, logVkeyOf(a));
    await publish(a, { body: 'In the second log.' });
    await mirrored('log2');
    await a.stop();
    await rm(headFile(env.DATA_DIR));
  });

  after(async () => {
    await a.stop();
    await b.stop();
    await drop();
    await admin(`DROP DATABASE ${databaseOf(backup)}`);
    await rm(env.DATA_DIR ?? '', { recursive: true, force: true });
  });

  async function sizeOf(log: string): Promise<number> {
    const { text } = await a.as().get(`/${log}/checkpoint`);
    return Number(text.split('\n')[1]);
  }

  /** Waits until B holds what the log has now. */
  async function mirrored(log: string): Promise<number> {
    const now = await sizeOf(log);
    await until(`${now} entries of ${log}`, async () => {
      const [peer] = (await b.as().get('/api/mesh')).body.peers;
      return peer.origin === `${name}/${log}` && peer.mirrored_size >= now;
    });
    return now;
  }

  async function expectClosed(): Promise<void> {
    expect(a.board.context.guard.closed).to.include(`${name}/log2`);
    const { status, body } = await preview(a, {});
    expect([status, body.error]).to.deep.equal([503, 'log_guard']);
  }

  it('takes no writes where a mirror holds a later generation', async () => {
    a = await nodeOnPort({ env, databaseUrl: backup.href, clock: a.clock });
    await expectClosed();
    expect(await sizeOf('log')).to.equal(size);
    await a.board.context.guard.check();
    await expectClosed();
  });

  it('is noticed once a mirror that was silent is heard', async () => {
    const { writes } = a.board.context;
    const [peer] = await writes.query<{ base_url: string }>(
      'SELECT base_url FROM peer',
    );
    const move = (url: string) =>
      writes.query('UPDATE peer SET base_url = $1, retry_at = NULL', [url]);
    await move('http://127.0.0.1:9');
    await a.restart();
    expect(a.board.context.guard.closed).to.equal(null);
    await a.board.context.writes.query('UPDATE peer SET base_url = $1', [
      peer?.base_url,
    ]);
    await a.board.background.peers.witness.round();
    await expectClosed();
  });

  it('believes nobody who only says so', async () => {
    const { writes } = b.board.context;
    const [kept] = await writes.query<{ origin_id: number }>(
      'SELECT origin_id FROM peer',
    );
    await writes.query(`UPDATE peer SET origin = $1 WHERE origin_id = $2`, [
      `${name}/log7`,
      kept?.origin_id,
    ]);
    await a.board.context.guard.check();
    expect(a.board.context.guard.closed).to.equal(null);
    await a.board.background.peers.witness.round();
    expect(a.board.context.guard.closed).to.equal(null);
    await writes.query(`UPDATE peer SET origin = $1 WHERE origin_id = $2`, [
      `${name}/log2`,
      kept?.origin_id,
    ]);
    await a.board.context.guard.check();
    await expectClosed();
  });

  it('goes on by a generation later than both', async () => {
    const { config } = a.board.context;
    const refused = await restoreOwn(config, []).catch(
      (error: Error) => error.message,
    );
    expect(refused).to.include('a later generation');
    await a.stop();
    const report = await newGeneration(config, { clock: a.clock });
    expect(report.origin).to.equal(`${name}/log3`);
    a = await nodeOnPort({ env, databaseUrl: backup.href, clock: a.clock });
    expect(a.board.context.guard.closed).to.equal(null);
    const next = await publish(a, { body: 'In the third log.' });
    expect(next.message.id).to.equal(report.firstMessageId);
    expect(next.message.id).to.be.at.least(3);
  });
});
