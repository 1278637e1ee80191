import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import { planOwn, restoreOwn } from '../../../mesh/cli/log-restore.js';
import { mirrorPrefix } from '../../../mesh/pull/store/mirror-log.js';
import { formatVkey } from '../../../protocol/vkey.js';
import type { Config } from '../../../server/config.js';
import { publishSigned, register } from '../../support/agent.js';
import { checkLedger } from '../../support/check-ledger.js';
import { given } from '../../support/hooks.js';
import { preview, publish } from '../../support/post.js';
import { nodeOnPort } from '../peers/node-on-port.js';
import {
  changed,
  isContent,
  isFeed,
  type Lie,
  withoutTexts,
} from '../support/lying-mirror.js';
import { bodiesIn, mirroredBoard, refusal } from '../support/mirrored-board.js';
import { ScriptedLog } from '../support/scripted-log.js';

const TEXTS = ['A guest.', 'Signed.', 'Signed, too.', 'The newest.'] as const;

const withOtherTexts: Lie = async (url, honest) => {
  if (!isFeed(url) && !isContent(url)) return await honest();
  const { status, body } = await honest();
  return { status, body: body.replaceAll('igned', 'igneous') };
};

const withOtherEntries: Lie = (url, honest) =>
  isFeed(url)
    ? changed(honest, ({ entries }) => {
        entries[1].leaf = entries[0].leaf;
      })
    : honest();

const hangsUp: Lie = (url, honest) => (isFeed(url) ? null : honest());

const never: Lie = () => ({ status: 503, body: '{"error":"unavailable"}' });

/** `log restore` and `log new-generation` beside mirrors that lie or fail. */
describe('recovery from bad mirrors', () => {
  const scene = given(mirroredBoard({ anchors: false }));
  const { a, b } = scene;
  let name: string;
  let size: number;
  let last: number;
  const earlier = new Map<string, { status: number; body: string }>();

  before(async () => {
    ({ name } = scene);
    const agent = await register(a);
    await publish(a, { body: TEXTS[0] });
    await publishSigned(a, agent, { body: TEXTS[1] });
    size = await scene.mirrored();
    const prefix = mirrorPrefix(`${name}/log`);
    const pages = [0, size].flatMap((from) =>
      ['all', 'none'].map(
        (content) => `feed?from=${from}&limit=256&content=${content}&wait=0`,
      ),
    );
    for (const page of ['checkpoint', ...pages]) {
      const answer = await fetch(`${b.url}${prefix}/${page}`);
      const kept = { status: answer.status, body: await answer.text() };
      earlier.set(`${prefix}/${page}`, kept);
    }
    await publishSigned(a, agent, { body: TEXTS[2] });
    ({ id: last } = (await publish(a, { body: TEXTS[3] })).message);
    size = await scene.mirrored();
    await a.stop();
  });

  const isOlder: Lie = (url, honest) =>
    earlier.get(`${url.pathname}${url.search}`) ?? honest();

  /** The same, but for the newest head: its last page is empty. */
  const staysBehind: Lie = (url, honest) =>
    url.pathname.endsWith('/checkpoint') ? honest() : isOlder(url, honest);

  /** Starts the board there, looks whether writes are open, and checks its log. */
  async function started(config: Config): Promise<number> {
    const { databaseUrl, dataDir } = config;
    const test = await nodeOnPort({
      databaseUrl: databaseUrl ?? '',
      clock: a.clock,
      // The seed has signed before.
      env: { ...scene.env, DATA_DIR: dataDir, LOG_BEGIN: '' },
    });
    try {
      const { status } = await preview(test, {});
      if (status === 200) await checkLedger(test);
      return status;
    } finally {
      await test.stop();
    }
  }

  for (const [title, lie] of [
    ['withholds texts', withoutTexts],
    ['gives other texts', withOtherTexts],
    ['gives other entries', withOtherEntries],
    ['shows a newer head than its pages', staysBehind],
    ['shows an older head', isOlder],
    ['hangs up', hangsUp],
    ['does not answer', never],
  ] as const) {
    it(`bring all back beside one that ${title}`, async () => {
      const config = await scene.newDisk();
      const from = [await scene.liar(lie), b.url];
      const plan = await planOwn(config, from);
      expect(plan).to.deep.include({ lost: [], size });
      const report = await restoreOwn(config, from);
      expect(report).to.deep.include({ lost: [], size, closed: null });
      expect(await bodiesIn(config)).to.deep.equal([...TEXTS]);
    });
  }

  for (const [title, lie, why] of [
    ['gives other entries', withOtherEntries, 'root_mismatch'],
    ['shows a newer head than its pages', staysBehind, 'an empty page'],
    ['hangs up', hangsUp, 'unreachable'],
    ['does not answer', never, 'shows a mirror of'],
  ] as const) {
    it(`say so and sign nothing where the only one ${title}`, async () => {
      const config = await scene.newDisk();
      const from = [await scene.liar(lie)];
      expect(await refusal(planOwn(config, from))).to.include(why);
      expect(await refusal(restoreOwn(config, from))).to.include(why);
      expect(await started(config)).to.equal(503);
      const report = await restoreOwn(config, [b.url]);
      expect(report).to.deep.include({ lost: [], size, closed: null });
      expect(await bodiesIn(config)).to.deep.equal([...TEXTS]);
    });
  }

  it('name each text that is lost, killed before the removals and run again', async () => {
    const config = await scene.newDisk();
    const from = [await scene.liar(withoutTexts)];
    const plan = await planOwn(config, from);
    expect([plan.lost, plan.lostGuests]).to.deep.equal([[1, 2, 3, 4], 2]);
    const killed = restoreOwn(config, from, () => {
      throw new Error('killed');
    });
    expect(await refusal(killed)).to.equal('killed');
    expect(await started(config)).to.equal(503);
    const report = await restoreOwn(config, from);
    expect(report.lost).to.deep.equal([1, 2, 3, 4]);
    expect(report.size).to.equal(size + 4);
    expect(await bodiesIn(config)).to.deep.equal([null, null, null, null]);
    expect(await started(config)).to.equal(200);
  });

  it('restore once where two run at once', async () => {
    const config = await scene.newDisk();
    const runs = await Promise.allSettled([
      restoreOwn(config, [b.url]),
      restoreOwn(config, [b.url]),
    ]);
    for (const run of runs) {
      if (run.status === 'fulfilled') continue;
      expect(String(run.reason)).to.include('Another "log restore"');
    }
    const report = await restoreOwn(config, [b.url]);
    expect(report).to.deep.include({ pulled: 0, size, closed: null });
    expect(await bodiesIn(config)).to.deep.equal([...TEXTS]);
    expect(await started(config)).to.equal(200);
  });

  it('begin one generation where two begin at once, under one new seed', async () => {
    for (const newSeed of [false, true]) {
      const config = await scene.newDisk(newSeed ? { BOARD_SEED: '' } : {});
      const begin = { urls: [b.url], newSeed };
      const runs = await Promise.allSettled([
        newGeneration(config, begin),
        newGeneration(config, begin),
      ]);
      const made = runs.filter(({ status }) => status === 'fulfilled');
      expect(made, JSON.stringify(runs)).to.have.length(1);
      for (const run of runs) {
        if (run.status === 'fulfilled') {
          expect(run.value.origin).to.equal(`${name}/log2`);
        } else {
          expect(String(run.reason)).to.include('meanwhile');
        }
      }
    }
  });

  it('find nothing for the seed of another board', async () => {
    const config = await scene.newDisk({ BOARD_SEED: 'e8'.repeat(32) });
    const refused = await refusal(restoreOwn(config, [b.url]));
    expect(refused).to.include("under this board's own signature");
    expect(await bodiesIn(config)).to.deep.equal([]);
  });

  function forged(origin: string, log: ScriptedLog): Lie {
    return (url, honest) => {
      const { pathname, searchParams } = url;
      if (pathname === '/api/mesh') {
        const log_vkey = formatVkey(log.keys.log.vkey);
        const peers = [{ name, origin, log_vkey }];
        return { status: 200, body: JSON.stringify({ peers }) };
      }
      if (pathname.endsWith('/checkpoint')) {
        return { status: 200, body: log.head() };
      }
      if (!isFeed(url)) return honest();
      const page = log.page(Number(searchParams.get('from')), 256, 'none');
      return { status: 200, body: JSON.stringify(page) };
    };
  }

  it('give no ID twice and skip none at the word of a board that lies', async () => {
    const log = new ScriptedLog(name, Date.UTC(2026, 0, 1));
    log.post({ id: Number.MAX_SAFE_INTEGER - 1 });
    const low = new ScriptedLog(name, Date.UTC(2026, 0, 1));
    low.post({ id: 1 });
    const from = [
      await scene.liar(forged(`${name}/log999999999`, log)),
      await scene.liar(forged(`${name}/log`, log)),
      await scene.liar(forged(`${name}/log`, low)),
      b.url,
    ];
    const made = await newGeneration(await scene.newDisk(), { urls: from });
    expect(made).to.include({
      origin: `${name}/log2`,
      firstMessageId: last + 1,
      followed: true,
    });
    const withoutSeed = await scene.newDisk({ BOARD_SEED: '' });
    const lost = await newGeneration(withoutSeed, {
      urls: from,
      newSeed: true,
    });
    expect(lost).to.include({
      origin: `${name}/log2`,
      firstMessageId: last + 1,
      followed: false,
    });
  });

  it('leave out a million IDs where the longest mirror does not give its end', async () => {
    const from = [await scene.liar(staysBehind), await scene.liar(isOlder)];
    const made = await newGeneration(await scene.newDisk(), { urls: from });
    expect(made.past).to.include({ witnessed: false, lastMessageId: 2 });
    expect(made.firstMessageId).to.equal(2 + 1_000_000 + 1);
  });
});
