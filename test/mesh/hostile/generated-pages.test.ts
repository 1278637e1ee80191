import fc from 'fast-check';
import { type Agent, newAgent } from '../../support/agent.js';
import { FULL } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { driven, keptOf, type Puller } from '../support/driven.js';
import { HostilePeer } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { peerRow } from '../support/two-boards.js';
import { holds, type Lies, lies, toldBy } from './page-changes.js';

const RUNS = FULL ? 2000 : 24;
/** All that is kept of a log is compared, so a long one takes long. */
const RUNS_OF_A_LOG = 20;

const NAMED =
  /^(feed_corrupt|bad_checkpoint|rolled_back|equivocation|bad_encoding|too_large)$/;

describe('generated lies in the pages of a log', () => {
  const scene = given(driven);
  let log: ScriptedLog;
  let peer: HostilePeer;
  let puller: Puller;
  let agent: Agent;
  let runs = 0;
  const ends = new Map<string, number>();

  before(begin);
  after(end);

  async function begin(): Promise<void> {
    const { clock } = scene.b;
    log = new ScriptedLog(`liar-${runs}.example`, clock.now() - 1000);
    agent = newAgent();
    log.key(agent);
    peer = await HostilePeer.start(log);
    puller = await scene.puller(peer);
  }

  async function end(): Promise<void> {
    await puller.end();
    await peer.stop();
  }

  it('store nothing that the log did not sign, and end in a named state', async () => {
    await holds('F18 pages', RUNS, fc.asyncProperty(lies, toldAndMended));
    expect(ends.get('failed') ?? 0, JSON.stringify([...ends])).to.be.above(
      RUNS / 4,
    );
    const evidence = await scene.b.as().get('/api/mesh/evidence');
    expect(evidence.body.count).to.equal(0);
  });

  async function toldAndMended(it: Lies): Promise<void> {
    const { b } = scene;
    runs += 1;
    if (runs % RUNS_OF_A_LOG === 0) {
      await end();
      await begin();
    }
    for (let nth = 0; nth < it.posts; nth += 1) {
      log.post(it.signed ? { agent } : {});
    }
    peer.mode = ({ path, query, res }) => {
      if (path !== '/log/feed') return false;
      const honest = log.page(Number(query.get('from')), 256, 'all');
      res.writeHead(200, { 'Content-Type': 'application/json' });
      res.end(toldBy(it, honest, log));
      return true;
    };
    const outcome = await puller.toEnd(3);
    ends.set(outcome, (ends.get(outcome) ?? 0) + 1);
    await expectTrue(log.size);
    const told = await peerRow(b, puller.originId);
    expect(told.status).to.equal('active');
    if (outcome === 'failed') expect(told.lastErrorCode).to.match(NAMED);
    peer.mode = () => false;
    expect(await puller.toEnd()).to.equal('level');
    await expectTrue(log.size, log.size);
    expect((await peerRow(b, puller.originId)).lastErrorCode).to.equal(null);
  }

  async function expectTrue(most: number, least = 0): Promise<void> {
    const kept = await keptOf(scene.b, puller.originId);
    expect(kept.size).to.be.within(least, most);
    expect(kept.leaves).to.deep.equal(log.leaves.slice(0, kept.size));
    for (const { id, status, body } of kept.posts) {
      if (status === 'ok') expect(body).to.equal(`Body of ${id}.`);
    }
  }
});
