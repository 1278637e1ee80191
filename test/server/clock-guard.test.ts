import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS, SteadyClock, systemClock } from '../../server/clock.js';
import { audited, commandLineActor } from '../../server/dashboard/audit.js';
import { openAlerts } from '../../server/operations/alerts.js';
import { nodeClock } from '../../server/operations/clock-file.js';
import { CLOCK_ACCEPT } from '../../server/operations/clock-guard.js';
import { recordFaults } from '../faults/report.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { FULL } from '../support/full.js';
import { filled, preview, publish, submit } from '../support/post.js';
import { newFolder } from '../support/run-folder.js';
import { command, type Environment } from './cli/command.js';
import { expectRefusal, retryAfter } from './posting/refusals.js';
import { castRating, previewRating, ratingTicket } from './votes/rating.js';

const STEP = 400 * DAY_MS;
const CLOSED = { status: 503, error: 'unavailable' };

let off = 0;
const machine = {
  wall: () => Date.now() + off,
  monotonic: () => performance.now(),
  uptime: () => performance.now(),
};

describe('a machine whose clock jumps ahead', () => {
  let test: TestBoard;
  let env: Environment;
  let topic: number;

  beforeEach(async () => {
    off = 0;
    test = await startBoard({
      lifted: true,
      steady: new SteadyClock(machine),
    });
    const { dataDir, boardSeed } = test.board.context.config;
    env = {
      DATA_DIR: dataDir,
      DATABASE_URL: test.databaseUrl,
      BOARD_SEED: boardSeed ?? '',
    };
    topic = (await publish(test)).message.id;
  });

  afterEach(async () => {
    await checkLedger(test);
    await test.stop();
  });

  const look = () => test.board.background.clockGuard.look();
  const alerts = async () =>
    (await openAlerts(test.board.context.writes)).map(({ kind }) => kind);

  async function jump(ms: number): Promise<void> {
    off += ms;
    await look();
  }

  it('takes no writes, stamps nothing, and goes on when it is back', async () => {
    const template = filled(await preview(test, {}));
    const vote = await ratingTicket(test, topic, 1);
    await jump(STEP);
    for (const refused of [
      await submit(test, template),
      await castRating(test, topic, vote),
      await previewRating(test, topic, { vote: 1 }),
      await preview(test, {}),
    ]) {
      expectRefusal(refused, CLOSED);
      expect(retryAfter(refused)).to.equal(30);
      expect(refused.body.detail).to.include('jumped ahead');
    }
    await test.as().get('/readyz').expect(503);
    await test.as().get(`/api/thread/${topic}`).expect(200);
    expect(await alerts()).to.deep.equal(['clock_ahead']);
    const log = test.board.context.ledger.append(() =>
      Promise.resolve(() => 'never'),
    );
    expect(await log.catch((error) => error.code)).to.equal('unavailable');

    await jump(-STEP);
    expect(await alerts()).to.deep.equal([]);
    const posted = await submit(test, template);
    expect(posted.status, posted.text).to.equal(201);
    const { id } = posted.body.message;
    const read = await test.as().get(`/api/messages/${id}`);
    const at = Date.parse(read.body.created_at);
    expect(at).to.be.closeTo(Date.now(), 60_000);
    await castRating(test, topic, vote).expect(201);
    const [row] = await test.board.context.writes.query<{ last: number }>(
      `SELECT greatest((SELECT max(at) FROM log_checkpoint),
         (SELECT max(at) FROM vote), (SELECT max(at) FROM budget_spend),
         (SELECT max(raised_at) FROM alarm)) AS last`,
    );
    expect(row?.last).to.be.below(Date.now() + 60_000);
  });

  it('stamps no message of writers that go on meanwhile', async () => {
    const statuses = new Map<number, number>();
    const counted = (status: number) => statuses.get(status) ?? 0;
    let ends = Number.POSITIVE_INFINITY;
    const turn = () => {
      if (off === 0 && counted(503) === 0 && counted(201) > 7) {
        off = STEP;
        ends = performance.now() + (FULL ? 2500 : 0);
      }
      if (counted(503) > 7 && performance.now() > ends) off = 0;
    };
    const isOver = () => counted(503) > 7 && off === 0 && counted(201) > 15;
    const writer = async (n: number) => {
      const from = `198.51.100.${n}`;
      while (!isOver()) {
        const previewed = await preview(test, {}, from);
        const template = previewed.status === 200 && filled(previewed);
        const { status } = template
          ? await submit(test, template, from)
          : previewed;
        statuses.set(status, counted(status) + 1);
        turn();
      }
    };
    await Promise.all([1, 2, 3, 4].map(writer));
    await look();
    expect([...statuses.keys()].sort()).to.deep.equal([201, 503]);
    const [row] = await test.board.context.writes.query<{ last: number }>(
      'SELECT max(created_at) AS last FROM message',
    );
    expect(row?.last).to.be.below(Date.now() + 60_000);
    expect((await publish(test)).message.id).to.be.above(topic);
    const acked = counted(201);
    await recordFaults({ test: 'C4 writes', faults: counted(503), acked });
  });

  /** The command line reads the machine itself, so a node was behind. */
  async function givenBehind(): Promise<void> {
    off = -STEP;
    test.board.background.clockGuard.assertOpen();
    await test.stop();
    test = await startBoard({
      lifted: true,
      steady: new SteadyClock(machine),
    });
    env.DATABASE_URL = test.databaseUrl;
    env.DATA_DIR = test.board.context.config.dataDir;
    topic = (await publish(test)).message.id;
  }

  it('is followed also where it was accepted before the node looked', async () => {
    await givenBehind();
    off += STEP;
    const accepted = await command(['clock', 'accept', '--json'], env);
    expect(accepted.code, accepted.stderr).to.equal(0);
    await look();
    expect(await alerts()).to.deep.equal([]);
    await publish(test, { title: 'Later' });
  });

  it('is not followed for what was accepted right before it', async () => {
    const { writes } = test.board.context;
    await audited(
      { writes, clock: systemClock },
      commandLineActor(),
      CLOCK_ACCEPT,
      () => Promise.resolve({ answer: null, subject: 'board' }),
    );
    // Within the ten minutes that an acceptance may be away.
    await jump(2 * 60_000);
    await look();
    expect(await alerts()).to.deep.equal(['clock_ahead']);
    expectRefusal(await preview(test, {}), CLOSED);
  });

  it('is followed once an operator accepts it', async () => {
    await givenBehind();
    await jump(STEP);
    const say = ['--reason', 'spam', '--explanation', 'It is late.'];
    const decided = await command(
      ['decision', 'hide', `${topic}`, ...say],
      env,
    );
    expect(decided.code).to.equal(1);
    expect(decided.stderr).to.include('reserve-board clock accept');
    const asked = await command(['doctor'], env);
    expect(`${asked.stdout}${asked.stderr}`).to.include('clock accept');

    const accepted = await command(['clock', 'accept', '--json'], env);
    expect(accepted.code, accepted.stderr).to.equal(0);
    expect(JSON.parse(accepted.stdout)).to.have.property('ok', true);
    await look();
    await test.as().get('/readyz');
    expect(await alerts()).to.deep.equal([]);
    const { message } = await publish(test, { title: 'Later' });
    const { body } = await test.as().get(`/api/messages/${message.id}`);
    expect(Date.parse(body.created_at)).to.be.closeTo(Date.now(), 60_000);

    // Of another step that acceptance says nothing.
    await jump(STEP);
    await look();
    expect(await alerts()).to.deep.equal(['clock_ahead']);
    expectRefusal(await preview(test, {}), CLOSED);
  });

  it('is not believed by the next process of its machine', async () => {
    const dataDir = await newFolder();
    const start = async () =>
      await startBoard({
        lifted: true,
        databaseUrl: test.databaseUrl,
        env: { DATA_DIR: dataDir },
        steady: await nodeClock(dataDir, machine),
      });
    const closed = async () => {
      const next = await start();
      const seen = [
        (await openAlerts(next.board.context.writes)).map(({ kind }) => kind),
        (await next.as().get('/readyz')).status,
        (await preview(next, {})).status,
      ];
      await next.stop();
      return seen;
    };
    expect(await closed()).to.deep.equal([[], 200, 200]);
    off += STEP;
    expect(await closed()).to.deep.equal([['clock_ahead'], 503, 503]);
    expect(await closed()).to.deep.equal([['clock_ahead'], 503, 503]);
    off -= STEP;
    expect(await closed()).to.deep.equal([[], 200, 200]);

    // With another start of the machine nothing can be compared.
    off += STEP;
    const file = path.join(dataDir, 'clock.json');
    const kept = await readFile(file, 'utf8');
    await writeFile(file, kept.replace(/"boot":"[^"]*"/, '"boot":"another"'));
    expect((await nodeClock(dataDir, machine)).ahead()).to.equal(0);
    for (const damaged of ['', '{', 'null', '{"boot":1}', '[]']) {
      await writeFile(file, damaged);
      expect((await nodeClock(dataDir, machine)).ahead()).to.equal(0);
    }

    // An operator accepts it while no node runs, with its own clock.
    await writeFile(file, kept);
    expect((await nodeClock(dataDir, machine)).ahead()).to.be.above(0);
    off = 0;
    await writeFile(file, kept.replace(/"wall":[\d.]+/, '"wall":0'));
    const accepted = await command(['clock', 'accept', '--json'], {
      ...env,
      DATA_DIR: dataDir,
    });
    expect(accepted.code, accepted.stderr).to.equal(0);
    expect(await closed()).to.deep.equal([[], 200, 200]);
  });
});
