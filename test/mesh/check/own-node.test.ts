import { checkPeer, type PeerReport } from '../../../mesh/check/check-peer.js';
import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import { LIMIT_DEFAULTS } from '../../../server/limits.js';
import { command } from '../../server/cli/command.js';
import { LIFTED_KEYS, publishSigned, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { decideTo } from '../../support/decide.js';
import { given } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { befriend, twoNodes } from '../peers/node-on-port.js';

const limits = { ...LIFTED, ...LIFTED_KEYS };

describe('peer check of this very software', () => {
  const client = new PeerClient({ allowHttp: true, allowPrivate: true });
  const checked = { limits, env: { PEER_CHECKS: 'on' } };
  const { a, b } = given(twoNodes(checked, { limits }));
  let fresh: PeerReport;
  after(() => client.close());

  before(async () => {
    for (const board of [a, b]) {
      const agent = await register(board);
      await publishSigned(board, agent, { title: 'Signed' });
      await publish(board, { title: 'Of a guest' });
      const { message } = await publish(board, { title: 'Soon gone' });
      await decideTo.remove(board, message.id);
    }
    fresh = await check(a, { level: 4 });
    await befriend(a, b);
    await befriend(b, a);
    await until('a cosigned checkpoint', async () => {
      const { body } = await a.as().get('/api/mesh');
      return body.peers[0]?.last_checkpoint !== null;
    });
  });

  const check = (board: TestBoard, how: { level?: number; active?: boolean }) =>
    checkPeer(board.url, { client, limits: LIMIT_DEFAULTS, ...how });

  for (const level of [0, 1, 2, 3, 4]) {
    it(`finds that level ${level} holds`, async () => {
      const report = await check(a, { level });
      const lacks = report.findings.filter((one) => one.verdict === 'lacks');
      expect(lacks).to.eql([]);
      expect(report).to.include({ level, highest: level, holds: true });
      const { board } = a.board.context;
      expect(report.name).to.equal(board.name);
    });
  }

  it('holds it to nothing that it cannot show before it has a peer', () => {
    expect(fresh).to.include({ highest: 4, holds: true });
    const unseen = fresh.findings.filter((one) => one.verdict === 'unseen');
    expect(unseen.map(({ section }) => section)).to.include('B7.5');
  });

  it('posts only where that is allowed, and finds its posts in the log', async () => {
    const refused = await check(b, { active: true }).catch(String);
    expect(refused).to.include('PEER_CHECKS=on');
    const before = await a.as().get('/api/updates?limit=100');
    const report = await check(a, { level: 4, active: true });
    const wrong = report.findings.filter((one) => one.verdict !== 'holds');
    expect(wrong).to.eql([]);
    const { body } = await a.as().get('/api/updates?limit=100');
    const posted = body.data.slice(before.body.data.length);
    expect(posted).to.have.length(2);
    for (const { room } of posted) expect(room).to.equal('workshop');
    expect(posted[0].title).to.equal('conformance check');
  });

  it('is a command with one line for each rule, and an exit code', async () => {
    const env = { MESH_ALLOW_HTTP: 'on', MESH_ALLOW_PRIVATE: 'on' };
    const run = (...more: string[]) =>
      command(['peer', 'check', a.url, ...more], env);
    const good = await run('--level', '3');
    expect(good.code, good.stdout + good.stderr).to.equal(0);
    const lines = good.stdout.split('\n').filter((it) => /^ok {3}/.test(it));
    expect(lines).to.have.length.above(20);
    for (const line of lines) expect(line).to.match(/^ok {4}\d §[AB]\d/);
    expect(good.stdout).to.include('level 3 (mirror) holds.');
    const part = await run('--level', '4');
    expect(part.stdout).to.include('holds, as far as it was seen');
    const json = await run('--json', '--level', '1');
    expect(JSON.parse(json.stdout)).to.include({ ok: true, highest: 1 });
    const far = await command(['peer', 'check', a.url], {});
    expect(far.code).to.equal(1);
    // Nothing was asked, so nothing is said of an identity.
    expect(far.stdout.match(/^LACKS .*$/gm)).to.eql([
      'LACKS 0 §B11.1 this command may ask that address: bad_url (only https to public addresses; MESH_ALLOW_HTTP and MESH_ALLOW_PRIVATE are for meshes on one machine or network)',
    ]);
    expect(far.stdout).to.include(
      'no level holds; level 1 (mirrored), the least of a peer, does not hold.',
    );
    expect((await run('--level', '5')).code).to.equal(1);
  });
});
