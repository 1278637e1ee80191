import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publishSigned, register } from '../support/agent.js';
import { compiledMain } from '../support/compiled.js';
import { FULL } from '../support/full.js';
import { publish } from '../support/post.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { formerMain, formerRelease } from './former-release.js';
import { NodeProcess } from './node-process.js';
import { recordFaults } from './report.js';
import { Writers } from './writers.js';

describe('the former release', () => {
  it('is named by CHANGELOG.md with its commit', async () => {
    const { version, commit } = await formerRelease();
    expect(version).to.match(/^\d+\.\d+\.\d+$/);
    expect(commit).to.match(/^[0-9a-f]{7,40}$/);
  });

  it('is refused in one sentence where there is no history', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'no-history-'));
    const refused = await formerMain(folder).catch((error) => error.message);
    expect(refused).to.include('which the history here does not have');
    expect(refused).to.include('git fetch --unshallow');
    await rm(folder, { recursive: true });
  });
});

/** docs/operate.md, "Upgrades": at full size only, for it needs the history. */
if (FULL) {
  describe('two releases on one database', () => {
    let former: NodeProcess;
    let present: NodeProcess | null = null;

    before(async () => {
      former = await NodeProcess.create({ main: await formerMain() });
    });

    after(async () => {
      if (former.alive) await former.end('SIGTERM');
      await present?.remove();
    });

    it('serve side by side while the newer takes over, and lose nothing', async () => {
      const seed = chosenSeed();
      const random = randomOf(seed);
      let urls = [former.url];
      const writers = new Writers({
        on: {
          get url() {
            return urls[Math.floor(random() * urls.length)] ?? former.url;
          },
          query: (sql) => (present ?? former).query(sql),
        },
        ...{ count: 8, random, mayHangUp: true },
      });
      writers.start();
      await writers.progress(100);
      const { dataDir } = former;
      present = await NodeProcess.create({ dataDir });
      await present.ready();
      urls = [former.url, present.url];
      await writers.progress(400);
      // Release 0.2.0 calls itself not ready beside a newer schema, and serves on.
      const { version } = await formerRelease();
      const beside = version === '0.2.0' ? 503 : 200;
      expect((await fetch(`${former.url}/readyz`)).status).to.equal(beside);
      expect((await fetch(`${present.url}/readyz`)).status).to.equal(200);
      urls = [present.url];
      await writers.progress(20);
      expect(await former.end('SIGTERM')).to.equal(0);
      await writers.progress(100);
      await writers.stop();
      const { votes: _, ...outcome } = await writers.check();
      await recordFaults({ test: 'A13 rolling', seed, faults: 1, ...outcome });
    });

    it('take only the newer from then on', async () => {
      const refused = await former.start().catch((error) => error.message);
      expect(refused).to.include('changed by a newer release');
    });
  });

  describe('a mesh of two releases', () => {
    let former: NodeProcess;
    let present: NodeProcess;

    before(async () => {
      [former, present] = await Promise.all([
        NodeProcess.create({ linked: true, main: await formerMain() }),
        NodeProcess.create({ linked: true }),
      ]);
      await link(former, present);
      await link(present, former);
    });

    after(() => Promise.all([former?.remove(), present?.remove()]));

    /** Texts, removals and relayed posts reach the other board, both ways. */
    async function exchange(round: string): Promise<void> {
      for (const [at, to] of [
        [former, present],
        [present, former],
      ] as const) {
        const agent = await register(at);
        const guest = await publish(at, { body: `${round}, by a guest.` });
        await publishSigned(at, agent, { body: `${round}, signed.` });
        await publishSigned(to, await register(to), {
          body: `${round}, handed on.`,
          board: nameOf(at),
        });
        const gone = await publish(at, { body: `${round}, removed.` });
        const decided = ['decision', 'remove', String(gone.message.id)];
        const why = ['--reason', 'spam', '--explanation', 'A trial.'];
        await at.command(...decided, ...why);
        const size = await logSize(at);
        await until(`${size} entries, acknowledged`, async () => {
          const seen = (await mesh(to)).peers[0];
          const acked = (await mesh(at)).peers[0];
          return seen?.mirrored_size >= size && acked?.acked_size >= size;
        });
        const address = `${to.url}/api/mesh/boards/${encodeURIComponent(nameOf(at))}/updates?since=0&limit=100`;
        const { data } = await json(address);
        const bodies = data.map(({ body }: { body: string }) => body);
        expect(bodies).to.include.members([
          `${round}, by a guest.`,
          `${round}, signed.`,
          `${round}, handed on.`,
        ]);
        expect(bodies).not.to.include(`${round}, removed.`);
        expect(guest.message.id).to.be.above(0);
      }
      for (const one of [former, present]) {
        const { evidence_count, peers } = await mesh(one);
        expect(evidence_count).to.equal(0);
        expect(peers[0]).to.include({ status: 'active', invalid_entries: 0 });
      }
    }

    it('mirrors, cosigns, relays and removes both ways', async () => {
      await exchange('Two releases');
    });

    it('goes on when the former is upgraded in its place', async () => {
      expect(await former.end('SIGTERM')).to.equal(0);
      former.main = await compiledMain();
      await former.start();
      await former.ready();
      await exchange('One release');
      await recordFaults({ test: 'A13 mesh', faults: 1 });
    });
  });
}

async function json(url: string) {
  return (await fetch(url)).json();
}

const nameOf = ({ url }: NodeProcess) => new URL(url).host;
const mesh = (of: NodeProcess) => json(`${of.url}/api/mesh`);
const logSize = async (of: NodeProcess) => (await mesh(of)).log.size as number;

async function link(at: NodeProcess, of: NodeProcess): Promise<void> {
  const { log } = await mesh(of);
  const terms = ['--trust', 'relay', '--content', 'all'];
  await at.command('peer', 'add', of.url, '--confirm', log.vkey, ...terms);
}
