import { restoreOwn } from '../../../mesh/cli/log-restore.js';
import { mirrorPrefix } from '../../../mesh/pull/store/mirror-log.js';
import { verifyProof } from '../../../protocol/proof.js';
import { recordFaults } from '../../faults/report.js';
import { taken } from '../../protocol/support/vectors.js';
import { type Agent, publishSigned, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { TestClock } from '../../support/clock.js';
import { decideTo } from '../../support/decide.js';
import { freePort } from '../../support/free-port.js';
import { FULL } from '../../support/full.js';
import { publish } from '../../support/post.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { until } from '../../support/until.js';
import { tilesOf } from '../partitions/same-everywhere.js';
import { befriend, nodeOnPort } from '../peers/node-on-port.js';
import { NewDisks } from '../support/new-disk.js';
import { withoutAnchors } from '../support/without-anchors.js';

/** One board alone is restore.test's; in each second round a mirror too. */
const ROUNDS = FULL ? 10 : 1;
const POSTS = FULL ? 30 : 3;

type Env = Record<string, string>;
type Kept = { test: TestBoard; env: Env; agent: Agent };
/** What stands in a log, as it was read before it was lost. */
type Held = { size: number; leaves: Buffer; proofs: Map<number, object> };

/** spec/operators.md §R5 F11; how it answers afterwards is restore.test's. */
describe('boards that lose their databases again and again', () => {
  const seed = chosenSeed();
  const random = randomOf(seed);
  const boards: Kept[] = [];

  before(async () => {
    for (let nth = 0; nth < 3; nth += 1) {
      const port = await freePort();
      const env = {
        PORT: String(port),
        BASE_URL: `http://127.0.0.1:${port}`,
        BOARD_SEED: String(nth + 1).repeat(64),
      };
      const test = await nodeOnPort({ env, clock: new TestClock() });
      await withoutAnchors(test); // none between a mirror's end and the loss
      boards.push({ test, env, agent: await register(test) });
    }
    for (const one of boards) await meetAll(one);
  });

  after(async () => {
    for (const { test } of boards) await test.stop();
  });

  async function meetAll(one: Kept): Promise<void> {
    for (const other of boards) {
      if (other !== one) await befriend(one.test, other.test);
    }
  }

  async function write({ test, agent }: Kept): Promise<void> {
    for (let n = 0; n < POSTS; n += 1) {
      const body = `Text ${n} of ${random()}.`;
      const { message } =
        random() < 0.5
          ? await publishSigned(test, agent, { title: 'Signed', body })
          : await publish(test, { title: 'By a guest', body });
      if (random() < 0.2) await decideTo.remove(test, message.id);
    }
  }

  async function held({ test }: Kept): Promise<Held> {
    const { text } = await test.as().get('/log/checkpoint');
    const size = Number(text.split('\n')[1]);
    const proofs = new Map<number, object>();
    const { body } = await test.as().get('/api/updates?limit=100');
    for (const { id, agent_id: agent } of body.data) {
      if (agent === null || agent === undefined) continue;
      const proof = await test.as().get(`/api/messages/${id}/proof`);
      proofs.set(id, proof.body);
    }
    return { size, leaves: await leavesOf(`${test.url}/log`, size), proofs };
  }

  const leavesOf = (prefix: string, size: number) =>
    tilesOf(prefix, size, ['entries']);

  async function mirroredBy(others: Kept[], one: Kept): Promise<void> {
    const { name } = one.test.board.context.board;
    await until('full mirrors', async () => {
      const { text } = await one.test.as().get('/log/checkpoint');
      const size = Number(text.split('\n')[1]);
      const sizes = await Promise.all(
        others.map(
          async ({ test }) =>
            (await test.board.peerAdmin.read(name)).mirrored_size,
        ),
      );
      return sizes.every((mirrored) => mirrored >= size);
    });
  }

  async function rebuild(lost: Kept, from: Kept[]): Promise<string> {
    const disks = new NewDisks(() => lost.env);
    const config = await disks.make();
    const urls = from.map(({ test }) => test.url);
    const report = await restoreOwn(config, urls);
    const databaseUrl = config.databaseUrl ?? '';
    const { env } = lost;
    const { clock } = lost.test;
    const test = await nodeOnPort({ env, databaseUrl, clock });
    await withoutAnchors(test);
    const stop = test.stop;
    test.stop = async () => {
      await stop();
      await disks.drop();
    };
    lost.test = test;
    return `${report.pulled} entries, ${report.messages} messages, texts lost: ${report.lost.length}`;
  }

  /** 100 % of the entries, byte for byte, and every proof as it was. */
  async function sameAs(before: Held, { test }: Kept): Promise<void> {
    const leaves = await leavesOf(`${test.url}/log`, before.size);
    expect(leaves.equals(before.leaves)).to.equal(true);
    for (const [id, proof] of before.proofs) {
      const { body } = await test.as().get(`/api/messages/${id}/proof`);
      const now = taken(verifyProof(body, test.board.context.keys.log.vkey));
      expect(now.contentVerified).to.equal(true);
      const was = proof as Record<string, unknown>;
      for (const member of ['leaf', 'index', 'keys', 'content'] as const) {
        expect(body[member], member).to.eql(was[member]);
      }
    }
    await checkLedger(test);
  }

  it('get every entry back byte for byte, also when a mirror is lost too', async () => {
    let written = 0;
    let faults = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = boards[Math.floor(random() * 3)];
      const rest = boards.filter((one) => one !== first);
      const second = rest[round % 2];
      if (first === undefined || second === undefined) throw new Error('none');
      for (const one of boards) await write(one);
      written += boards.length * POSTS;
      for (const one of boards) {
        const others = boards.filter((other) => other !== one);
        await mirroredBy(others, one);
      }
      const lost = round % 2 === 1 ? [first] : [first, second];
      faults += lost.length;
      const left = boards.filter((one) => !lost.includes(one));
      const before = new Map<Kept, Held>();
      for (const one of lost) before.set(one, await held(one));
      for (const { test } of lost) await test.stop();
      for (const one of lost) {
        console.log(`      rebuilt: ${await rebuild(one, left)}`);
      }
      for (const [one, what] of before) await sameAs(what, one);
      for (const one of lost) await meetAll(one);
      for (const { test } of boards) {
        const { body } = await test.as().get('/api/mesh');
        expect(body.evidence_count).to.equal(0);
      }
    }
    await recordFaults({
      test: 'F11',
      seed,
      faults,
      acked: written,
      unknown: 0,
    });
  });

  it('are mirrored on as if nothing had been', async () => {
    for (const one of boards) {
      const { origin } = one.test.board.context.board;
      await publish(one.test, { title: 'After all', body: 'That happened.' });
      const { text } = await one.test.as().get('/log/checkpoint');
      const size = Number(text.split('\n')[1]);
      const others = boards.filter((other) => other !== one);
      for (const { test } of others) {
        const hint = { origin, size };
        await test.as().post('/api/mesh/hint').send(hint);
      }
      await mirroredBy(others, one);
      const own = await leavesOf(`${one.test.url}/log`, size);
      for (const { test } of others) {
        const kept = await leavesOf(test.url + mirrorPrefix(origin), size);
        expect(kept.equals(own)).to.equal(true);
      }
    }
  });
});
