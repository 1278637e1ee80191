import { rm } from 'node:fs/promises';
import type { Context } from '../../../server/context.js';
import { watchBoard } from '../../../server/dashboard/monitoring/watch-board.js';
import { headFile, writeHeadFile } from '../../../server/ledger/head-file.js';
import {
  type AlertKind,
  freeDisk,
  isLow,
  openAlerts,
} from '../../../server/operations/index.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { freshNetwork } from '../../support/random.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** What its own tests do not raise, of server/operations/alert-kinds.ts. */
describe('the watch over a board', () => {
  const test = givenBoard({
    lifted: true,
    limits: { writes_per_board_minute: 5 },
  });
  let context: Context;
  before(() => {
    ({ context } = test.board);
  });

  /** The words of an alert after one look; null where none is open. */
  async function raised(
    kind: AlertKind,
    ctx: Context = context,
    certificate?: number,
  ): Promise<string | null> {
    const ends = async () => certificate ?? null;
    await watchBoard(ctx, null, ends);
    const all = await openAlerts(context.writes);
    return all.find((alert) => alert.kind === kind)?.detail ?? null;
  }

  it('tells of writes near the limit of a minute', async () => {
    for (let n = 0; n < 4; n += 1) {
      await publish(test, { title: `Topic ${n}` }, freshNetwork());
    }
    expect(await raised('board_writes')).to.equal(
      '4 of 5 writes came in a minute.',
    );
    test.clock.advance(MINUTE_MS + 1);
    expect(await raised('board_writes')).to.equal(null);
  });

  it('tells of a disk that is full', async () => {
    // A file system of the kernel, in which nothing can be written.
    const config = { ...context.config, dataDir: '/proc' };
    expect(await raised('disk_low', { ...context, config })).to.equal(
      'The disk of DATA_DIR has 0 % left.',
    );
    const disk = await freeDisk(context.config.dataDir);
    const isFull = disk !== null && isLow(disk);
    expect((await raised('disk_low')) !== null).to.equal(isFull);
  });

  it('tells of a certificate that ends within two weeks', async () => {
    const now = context.clock.now();
    const ending = now + 13 * DAY_MS;
    expect(await raised('certificate', context, ending)).to.include(
      'The certificate of BASE_URL ends at',
    );
    const renewed = now + 15 * DAY_MS;
    expect(await raised('certificate', context, renewed)).to.equal(null);
  });

  it('tells of a log that is behind its head file', async () => {
    const { config, guard, board, clock } = context;
    await writeHeadFile(config.dataDir, {
      ...{ origin: board.origin, size: 99, root: Buffer.alloc(32) },
      ...{ lastMessageId: 99, time: clock.now(), restored: false },
    });
    await guard.check();
    expect(await raised('log_guard')).to.include('Writes are closed:');
    await rm(headFile(config.dataDir));
    await guard.check();
    expect(await raised('log_guard')).to.equal(null);
  });
});
