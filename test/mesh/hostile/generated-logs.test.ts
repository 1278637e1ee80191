import { expect } from 'chai';
import fc from 'fast-check';
import { recordFaults } from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { chosenSeed } from '../../support/random.js';
import { until } from '../../support/until.js';
import { driven, keptOf } from '../support/driven.js';
import { HostilePeer } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { peerRow } from '../support/two-boards.js';
import { ACCEPTED_FAR, type Made, type Step, steps } from './log-steps.js';

const RUNS = FULL ? 300 : 8;
describe('a mirror of logs that nobody would write', () => {
  let runs = 0;

  const scene = given(driven);

  it('takes each to its end, shows only what was signed, and goes on', async () => {
    const seed = chosenSeed();
    await fc.assert(fc.asyncProperty(steps, pulledAndRead), {
      numRuns: RUNS,
      seed,
      examples: [[ACCEPTED_FAR]],
    });
    expect((await scene.b.as().get('/healthz')).status).to.equal(200);
    await recordFaults({ test: 'F18 logs', seed, faults: RUNS });
  });

  async function pulledAndRead(list: Step[]): Promise<void> {
    const { b } = scene;
    runs += 1;
    const log = new ScriptedLog(`liar-${runs}.example`, b.clock.now() - 1000);
    const made: Made = { agents: [], posts: [], signed: new Set() };
    for (const step of list) step(log, made);
    const peer = await HostilePeer.start(log);
    const puller = await scene.puller(peer);
    try {
      expect(await puller.toEnd()).to.equal('level');
      await sameAs(log, puller.originId, made);
      await readable(log);
      log.post();
      expect(await puller.toEnd()).to.equal('level');
      await sameAs(log, puller.originId, made);
      const row = await peerRow(b, puller.originId);
      expect(row).to.include({ status: 'active', lastErrorCode: null });
    } finally {
      await puller.end();
      await peer.stop();
    }
  }

  /** Every leaf as it was sent, and no text that is not its statement's. */
  async function sameAs(
    log: ScriptedLog,
    originId: number,
    made: Made,
  ): Promise<void> {
    const { b } = scene;
    const kept = await keptOf(b, originId);
    expect(kept.size).to.equal(log.size);
    expect(kept.leaves).to.deep.equal(log.leaves);
    expect(kept.checkpoint).to.equal(log.head());
    const shown = await b.board.context.reads.query<{ hash: string }>(
      `SELECT encode(message_hash, 'hex') AS hash FROM mirror_message
       WHERE origin_id = $1 AND status <> 'invalid' AND agent_id IS NOT NULL`,
      [originId],
    );
    for (const { hash } of shown) expect(made.signed.has(hash)).to.equal(true);
    const texts = kept.posts.filter(({ status }) => status !== 'ok');
    expect(texts.map(({ body }) => body).filter(Boolean)).to.deep.equal([]);
  }

  /** Whatever a log says, its readers get an answer. */
  async function readable({ board }: ScriptedLog): Promise<void> {
    const { b } = scene;
    const { body } = await answered(
      `/api/mesh/boards/${board}/updates?limit=100`,
    );
    const paths = [
      ...[`/api/mesh/boards/${board}/threads`, `/mesh/${board}`],
      ...['/api/mesh/boards', '/api/mesh', '/api/mesh/search?q=scout'],
    ];
    const rows = await b.board.context.reads.query<{ id: string }>(
      `SELECT m.id::text AS id FROM mirror_message m
         JOIN log_state s USING (origin_id)
       WHERE s.board = $1 ORDER BY m.id`,
      [board],
    );
    expect(body.data?.length ?? 0).to.be.at.most(rows.length);
    for (const { id } of rows) {
      const message = `/api/mesh/boards/${board}/messages/${id}`;
      paths.push(message, `${message}/proof`, `/mesh/${board}/t/${id}`);
      paths.push(`/api/mesh/boards/${board}/thread/${id}`);
    }
    await Promise.all(paths.map(answered));
  }

  async function answered(path: string) {
    let answer = await scene.b.as().get(path);
    // Where others use the machine, a search may take its whole time.
    await until(`an answer of ${path}`, async () => {
      if (answer.body.error !== 'unavailable') return true;
      answer = await scene.b.as().get(path);
      return false;
    });
    expect(answer.status, `${path}: ${answer.text}`).to.be.below(500);
    return answer;
  }
});
