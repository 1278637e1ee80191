import { writeFile } from 'node:fs/promises';
import { restoreOwn } from '../../../mesh/cli/log-restore.js';
import type { BoardError } from '../../../server/errors.js';
import { headFile } from '../../../server/ledger/head-file.js';
import type { TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { decideTo } from '../../support/decide.js';
import { givenEach } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { befriend } from '../peers/node-on-port.js';
import { HostilePeer, peerWith } from '../support/hostile-peer.js';
import { mirroredBoard } from '../support/mirrored-board.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { meshBoard } from '../support/two-boards.js';

describe('the rollback guard', () => {
  const scene = givenEach(mirroredBoard({ befriended: false }));
  const { a, b } = scene;

  async function expectClosed(test: TestBoard, log = 200): Promise<void> {
    for (const path of ['/write/preview', '/api/keys', '/api/polls/1/votes']) {
      const { status, body } = await test.as().post(path).send({});
      expect([status, body.error], path).to.deep.equal([503, 'log_guard']);
    }
    // What no request brings, an operator's or a job's, is no entry either.
    const decided = await decideTo.remove(test, 1).then(
      () => 'done',
      (refusal: BoardError) => refusal.code,
    );
    expect(decided).to.equal('log_guard');
    expect((await test.as().get('/api/threads')).status).to.equal(200);
    expect((await test.as().get('/log/checkpoint')).status).to.equal(log);
    const tool = (name: string, given: object) =>
      test
        .as()
        .post('/mcp')
        .set('Accept', 'application/json, text/event-stream')
        .send({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: given },
        });
    const read = await tool('list_threads', {});
    expect([read.status, read.text]).to.satisfy(
      ([status, text]: [number, string]) =>
        status === 200 && !text.includes('log_guard'),
      'the reading tools go on',
    );
    const wrote = await tool('preview_vote', { message_id: 1, vote: 1 });
    expect(wrote.text, 'the writing ones do not').to.include('log_guard');
    const hint = await test.as().post('/api/mesh/hint').send({});
    expect(hint.body.error).to.equal('invalid_input');
  }

  it('signs nothing on an empty database beside a head file', async () => {
    const empty = await scene.newDisk();
    await writeFile(
      headFile(empty.dataDir),
      JSON.stringify({
        origin: a.board.context.board.origin,
        size: 9,
        root: Buffer.alloc(32, 1).toString('base64'),
        last_message_id: 3,
        time: 1,
      }),
    );
    await a.stop();
    await scene.start(empty);
    await expectClosed(a, 503);
    for (const path of [
      '/api/mesh',
      '/log/checkpoint',
      '/log/feed?from=0',
      '/log/feed?from=9&wait=1',
      '/log/consistency?from=0&to=0',
      '/log/content?index=0',
      '/log/tile/0/000.p/1',
      '/log/tile/entries/000.p/1',
    ]) {
      const { status, body } = await a.as().get(path);
      expect([status, body.error], path).to.deep.equal([503, 'log_guard']);
    }
    expect((await a.as().get('/log')).status).to.equal(404);
    expect((await a.as().post('/log/checkpoint')).status).to.equal(405);
  });

  it('closes writes of an old backup that a mirror has outgrown, until it is restored', async () => {
    await a.stop();
    await scene.start(await scene.newDisk());
    await befriend(a, b);
    await befriend(b, a);
    await publish(a, { body: 'In the backup.' });
    await scene.mirrored();
    await a.stop();
    const backup = await scene.copy();
    await scene.start();
    const lost = await publish(a, { body: 'Lost with the disk.' });
    await scene.mirrored();
    await a.stop();
    await scene.start(backup);
    await expectClosed(a);
    const report = await restoreOwn(a.board.context.config, []);
    // The message, and anchors of its peer where they came in between.
    expect(report.pulled).to.be.within(1, 3);
    await a.board.context.guard.check();
    expect(a.board.context.guard.closed).to.equal(null);
    const { text } = await a.as().get(`/api/messages/${lost.message.id}`);
    expect(text).to.include('Lost with the disk.');
    const next = await publish(a, { body: 'After.' });
    expect(next.message.id).to.equal(lost.message.id + 1);
    await checkLedger(a);
  });
});

describe('the rollback guard of a board with many peers', () => {
  let a: TestBoard;
  let peers: HostilePeer[];
  const warnings: string[] = [];
  const keep = ({ message }: Error) => warnings.push(message);

  beforeEach(async () => {
    process.on('warning', keep);
    a = await meshBoard('many.example');
    const names = Array.from({ length: 11 }, (_, n) => `p${n}.example`);
    peers = await Promise.all(
      names.map((name) =>
        HostilePeer.start(new ScriptedLog(name, a.clock.now())),
      ),
    );
    for (const peer of peers) await peerWith(a, peer, 'proofs');
  });

  afterEach(async () => {
    process.off('warning', keep);
    await a.stop();
    await Promise.all(peers.map((peer) => peer.stop()));
  });

  it('asks them all at its start, and Node warns of no leak', async () => {
    await a.restart();
    for (const { asked, log } of peers) {
      await until(`the question to ${log.board}`, () =>
        asked.some((path) => /\/mirror\/.*\/checkpoint$/.test(path)),
      );
    }
    expect(warnings).to.deep.equal([]);
  });
});
