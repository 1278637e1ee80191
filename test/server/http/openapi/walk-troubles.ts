import { writeHeadFile } from '../../../../server/ledger/head-file.js';
import { operator } from '../../../admin/operators.js';
import { HostilePeer, sendJson } from '../../../mesh/support/hostile-peer.js';
import { ScriptedLog } from '../../../mesh/support/scripted-log.js';
import { BASE_URL, startBoard } from '../../../support/board.js';
import { admin } from '../../../support/cluster.js';
import { isForPeople, operationsOf } from '../../../support/described.js';
import { withLimits } from '../../../support/limits.js';
import { filled, preview, publish } from '../../../support/post.js';
import { newFolder } from '../../../support/run-folder.js';
import { watch } from '../../../support/watched.js';
import { type RawAnswer, rawExchange, rawGet, startEdge } from '../harness.js';
import { addressOf } from './furnished.js';
import { checkRefusal, isHtml } from './header-rules.js';
import type { Walk } from './walk.js';

export function walkTroubles(walk: Walk): void {
  const { plain, watched, test, has, read, send } = walk;

  it('refuses what is over a limit', async () => {
    const low = { searches_per_network_minute: 1, topics_per_source_hour: 1 };
    await withLimits(plain, low, async (from) => {
      const search = () => test.as(from).get('/api/search?q=word');
      await search().expect(200);
      const { body } = await search().expect(429);
      expect(body.error).to.equal('rate_limited');
      const template = filled(await preview(test, {}, from));
      await publish(test, {}, from);
      await send('/write/publish', template, 'topic_budget_exhausted', from);
    });
  });

  it('refuses who is no operator, and a decision on what is decided', async () => {
    await test.as().get('/admin/api/sessions').expect(401);
    const { cookie } = await operator(plain, 'admin');
    const decision = { id: has.topic, action: 'keep', reason: 'within_rules' };
    for (const status of [200, 409]) {
      await test
        .as()
        .post('/admin/api/do/decision.record')
        .set({ Cookie: cookie, Origin: BASE_URL })
        .send({ ...decision, seen: null, explanation: 'It may stay.' })
        .expect(status);
    }
  });

  it('adds no board of another protocol', async () => {
    const peer = await HostilePeer.start(new ScriptedLog('q.example', 1));
    peer.mode = ({ res }) => {
      sendJson(res, { protocol: 'reserve-mesh/2' });
      return true;
    };
    const { cookie } = await operator(plain, 'admin');
    await test
      .as()
      .post('/admin/api/do/peer.add')
      .set({ Cookie: cookie, Origin: BASE_URL })
      .send({ url: peer.url })
      .expect(409)
      .expect(({ body: { error } }) =>
        expect(error).to.equal('unsupported_protocol'),
      );
    await peer.stop();
  });

  const noted = ({ body, status }: RawAnswer): void => {
    watched.codes.add(`${body.error} ${status}`);
  };

  it('refuses long headers, and slow ones', async () => {
    const long = rawGet('/api/threads', `X-Long: ${'x'.repeat(9000)}`);
    noted(await rawExchange(Number(new URL(plain.url).port), long));
    const edge = await startEdge({
      ...{ requestTimeout: 400, headersTimeout: 200 },
      connectionsCheckingInterval: 50,
    });
    noted(await rawExchange(edge.port, 'GET /api/list HTTP/1.1\r\n'));
    await edge.stop();
  });

  it('says that it failed', async () => {
    const { writes } = plain.board.context;
    await writes.query('ALTER TABLE selection RENAME TO away');
    await read('/api/selections?limit=9', 'internal_error');
    await writes.query('ALTER TABLE away RENAME TO selection');
  });

  it('reads and writes no log that it lost', async () => {
    const dataDir = await newFolder();
    await writeHeadFile(dataDir, {
      ...{ origin: 'board.test/log2', size: 4, root: new Uint8Array(32) },
      ...{ lastMessageId: 2, time: 1, restored: false },
    });
    const lost = await startBoard({ env: { DATA_DIR: dataDir } });
    const { test: board, codes, problems } = await watch(lost);
    await board.as().get('/log/checkpoint').expect(410);
    await preview(board, {});
    await lost.stop();
    expect([...codes]).to.deep.equal(['log_closed 410', 'log_guard 503']);
    expect(problems).to.deep.equal([]);
    for (const code of codes) watched.codes.add(code);
  });

  it('says at every read that its database is away', async () => {
    const database = new URL(plain.databaseUrl).pathname.slice(1);
    const open = (yes: boolean) =>
      admin(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS ${yes}`);
    const failed: string[] = [];
    await open(false);
    try {
      await admin(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = '${database}' AND backend_type = 'client backend'`,
      );
      for (const { method, path, operation } of operationsOf(
        watched.description.document,
      )) {
        const isRead = method === 'get' && '200' in operation.responses;
        if (!isRead || isForPeople(operation)) continue;
        const answer = await plain.as().get(addressOf(path, has));
        // Documents, and what is kept for a moment, need no database.
        if (answer.status < 400 || isHtml(answer)) continue;
        expect(answer.status, `${path} ${answer.text}`).to.equal(503);
        expect(operation.responses, path).to.have.property('503');
        checkRefusal(answer, path, path !== '/api/budgets');
        failed.push(path);
      }
    } finally {
      await open(true);
    }
    expect(failed.length).to.be.above(15);
  });
}
