import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import { restoreOwn } from '../../../mesh/cli/log-restore.js';
import { peerCard } from '../../../mesh/cli/peer-text.js';
import { beginLater } from '../../../mesh/restore/find-restore-point.js';
import { boardKeys } from '../../../server/ledger/board-keys.js';
import { readManifest } from '../../../server/operations/backup/manifest.js';
import { restoreBackup } from '../../../server/operations/backup/restore-backup.js';
import { noteRestore } from '../../../server/operations/backup/restored-head.js';
import { writeBackup } from '../../../server/operations/backup/write-backup.js';
import type { TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { createDatabase } from '../../support/cluster.js';
import { freePort } from '../../support/free-port.js';
import { preview, publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { befriend, logVkeyOf, nodeOnPort } from '../peers/node-on-port.js';

describe('a seed put back without its database', () => {
  let env: Record<string, string>;
  let a: TestBoard;
  let b: TestBoard;
  let name: string;
  let ends: (() => Promise<unknown>)[];

  beforeEach(async () => {
    ends = [];
    const port = await freePort();
    env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
    env.BOARD_SEED = '5e'.repeat(32);
    a = await nodeOnPort({ env });
    name = a.board.context.board.name;
    b = await nodeOnPort();
    await befriend(a, b);
    await befriend(b, a);
    await publish(a, { body: 'Before the loss.' });
    await mirrored('log');
  });

  afterEach(async () => {
    await a.stop();
    await b.stop();
    for (const end of ends) await end();
  });

  /** A start on an empty database and folder, with nothing but the seed. */
  async function startAlone(more: Record<string, string> = {}): Promise<void> {
    await a.stop();
    const { url: databaseUrl, drop } = await createDatabase();
    env.DATA_DIR = await mkdtemp(path.join(os.tmpdir(), 'alone-'));
    const { DATA_DIR: folder } = env;
    ends.push(drop, () => rm(folder, { recursive: true, force: true }));
    a = await nodeOnPort({
      env: { ...env, LOG_BEGIN: '', ...more },
      databaseUrl,
      clock: a.clock,
    });
  }

  /** Waits until B holds all of the log. */
  async function mirrored(log: string): Promise<void> {
    const { text } = await a.as().get(`/${log}/checkpoint`);
    const size = Number(text.split('\n')[1]);
    // B may have tried while A was away; a hint ends that, once in 30 seconds.
    b.clock.advance(31_000);
    const hint = { origin: `${name}/${log}`, size };
    await b.as().post('/api/mesh/hint').send(hint);
    await until(`${size} entries of ${log}`, async () => {
      const peer = await b.board.peerAdmin.read(name);
      return peer.origin === `${name}/${log}` && peer.mirrored_size >= size;
    });
  }

  async function signatures(): Promise<unknown> {
    const [row] = await a.board.context.reads.query(
      `SELECT (SELECT count(*)::int FROM log_entry WHERE origin_id = 0) AS entries,
         (SELECT count(*)::int FROM log_checkpoint WHERE origin_id = 0) AS heads,
         (SELECT checkpoint || identity FROM log_state WHERE origin_id = 0)
           AS signed`,
    );
    return row;
  }

  async function expectClosed(): Promise<void> {
    const { status, body } = await preview(a, {});
    expect([status, body.error]).to.deep.equal([503, 'log_guard']);
    for (const command of [
      'log restore --from <peer>',
      'log new-generation',
      'log begin',
    ]) {
      expect(body.detail).to.include(command);
    }
    expect((await a.as().get('/readyz')).status).to.equal(503);
    for (const read of ['/log/checkpoint', '/log/feed?from=0', '/api/mesh']) {
      const answer = await a.as().get(read);
      expect([answer.status, answer.body.error], read).to.deep.equal([
        ...[503, 'log_guard'],
      ]);
    }
    expect((await a.as().get('/api/threads')).status).to.equal(200);
    expect(await signatures()).to.deep.equal({
      entries: 0,
      heads: 0,
      signed: '',
    });
  }

  it('signs nothing, is not ready, and no peer condemns the board', async () => {
    await startAlone();
    await expectClosed();
    await a.restart();
    await expectClosed();
    await b.board.background.peers.witness.round();
    const { body } = await b.as().get('/api/mesh');
    expect(body.evidence_count).to.equal(0);
    expect(body.peers[0].status).not.to.equal('quarantined');
  });

  it('is restored from a peer beside the running node, which opens writes', async () => {
    await startAlone();
    const report = await restoreOwn(a.board.context.config, [b.url]);
    expect(report.closed).to.equal(null);
    await a.board.context.guard.check();
    expect(a.board.context.guard.closed).to.equal(null);
    const next = await publish(a, { body: 'After the restore.' });
    expect(next.message.id).to.equal(2);
    await checkLedger(a);
    await mirrored('log');
    const { body } = await b.as().get('/api/mesh');
    expect(body.evidence_count).to.equal(0);
  });

  it('takes no writes on a restore that was interrupted in another folder', async () => {
    for (let more = 0; more < 300; more += 1) {
      await a.board.context.ledger.append(async (turn) => {
        const evidence = Buffer.alloc(32, more);
        const about = {
          origin: 'x.example/log',
          kind: 'equivocation',
        } as const;
        turn.append({ type: 'evidence', at: turn.at, ...about, evidence });
        return () => undefined;
      });
    }
    await mirrored('log');
    await startAlone();
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'elsewhere-'));
    ends.push(() => rm(dataDir, { recursive: true }));
    const config = { ...a.board.context.config, dataDir };
    const killed = await restoreOwn(config, [b.url], () => {
      throw new Error('killed after a page');
    }).catch((error) => error.message);
    expect(killed).to.equal('killed after a page');
    const { guard } = a.board.context;
    await guard.check();
    expect(guard.closed).to.include('interrupted after 256 entries');
    expect((await a.as().get('/log/checkpoint')).status).to.equal(503);
    expect((await restoreOwn(config, [b.url])).closed).to.equal(null);
    await guard.check();
    expect(guard.closed).to.equal(null);
    await publish(a, { body: 'After the restore.' });
    await checkLedger(a);
  });

  it('begins a log on the day that LOG_BEGIN names, and on no other', async () => {
    await startAlone({ LOG_BEGIN: '2026-01-14' });
    await expectClosed();
    const { databaseUrl, clock } = a;
    await a.stop();
    a = await nodeOnPort({ env, databaseUrl, clock });
    expect(a.board.context.guard.closed).to.equal(null);
    await publish(a, { body: 'Begun on purpose.' });
    await checkLedger(a);
  });

  it('begins no log, whatever LOG_BEGIN says, where a later one is recorded', async () => {
    await startAlone();
    const { context } = a.board;
    const { databaseUrl, clock } = a;
    const later = `${name}/log2`;
    const seeds = { ...context.config, boardSeed: env.BOARD_SEED ?? '' };
    await beginLater(context.writes, {
      board: name,
      origin: later,
      keys: boardKeys(seeds, name, later),
    });
    await a.stop();
    a = await nodeOnPort({ env, databaseUrl, clock });
    expect(a.board.context.board.origin).to.equal(later);
    expect((await preview(a, {})).body.error).to.equal('log_guard');
    expect(await signatures()).to.include({ entries: 0, signed: '' });
  });

  it('takes a backup in the closed state, which opens writes', async () => {
    const from = path.join(os.tmpdir(), `backup-${process.pid}`);
    ends.push(() => rm(from, { recursive: true }));
    const { clock } = a;
    const sealed = { boardSeed: env.BOARD_SEED ?? '', now: clock.now() };
    await writeBackup(a.board.context.writes, from, sealed);
    await startAlone();
    const { dataDir } = a.board.context.config;
    const { databaseUrl } = a;
    await a.stop();
    const manifest = await readManifest(from, sealed.boardSeed);
    const note = { noPeers: false, now: clock.now() };
    await restoreBackup({ url: databaseUrl }, from, manifest, {
      beforeCommit: () => noteRestore(dataDir, manifest, note),
    });
    a = await nodeOnPort({
      env: { ...env, LOG_BEGIN: '' },
      databaseUrl,
      clock,
    });
    expect(a.board.context.guard.closed).to.equal(null);
    const next = await publish(a, { body: 'After the backup.' });
    expect(next.message.id).to.equal(2);
    await checkLedger(a);
  });

  it('goes on as a new generation, which a peer that condemned the former log takes by one command', async () => {
    // Its operator begins the log a second time, against all advice.
    await startAlone({ LOG_BEGIN: '2026-01-15' });
    await publish(a, { body: 'Of a second history.' });
    await b.board.background.peers.witness.round();
    await until('quarantine', async () => {
      const { text } = await a.as().get('/log/checkpoint');
      const hint = { origin: `${name}/log`, size: text.split('\n')[1] };
      b.clock.advance(31_000);
      await b.as().post('/api/mesh/hint').send(hint);
      await b.board.background.peers.witness.round();
      return (await b.board.peerAdmin.read(name)).status === 'quarantined';
    });
    const { config } = a.board.context;
    const { databaseUrl, clock } = a;
    await a.stop();
    const report = await newGeneration(config, { urls: [b.url], clock });
    expect(report.url).to.equal(env.BASE_URL);
    a = await nodeOnPort({ env, databaseUrl, clock });
    const confirmed = await b.board.peerAdmin.confirm(name, logVkeyOf(a));
    expect(confirmed).to.include({ origin: `${name}/log2`, status: 'active' });
    await publish(a, { body: 'In the second log.' });
    await mirrored('log2');
  });

  it('goes on as a new generation from the closed state', async () => {
    await startAlone();
    const { config } = a.board.context;
    const { databaseUrl, clock } = a;
    await a.stop();
    const report = await newGeneration(config, { urls: [b.url], clock });
    expect(report).to.include({ origin: `${name}/log2`, firstMessageId: 2 });
    a = await nodeOnPort({
      env: { ...env, LOG_BEGIN: '' },
      databaseUrl,
      clock,
    });
    expect(a.board.context.guard.closed).to.equal(null);
    const shown = await b.board.peerAdmin.add(a.url);
    expect(shown.pending_identity_signed).to.equal(true);
    expect(peerCard(shown)).to.include('signed by the key you confirmed:');
    expect(peerCard(shown)).not.to.include('NOT signed');
    await b.board.peerAdmin.add(a.url, { confirm: logVkeyOf(a) });
    const next = await publish(a, { body: 'In the second log.' });
    expect(next.message.id).to.equal(2);
    await mirrored('log2');
  });
});
