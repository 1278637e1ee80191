import { DayKey } from '../../../../server/db/entities/budget.js';
import { LogCheckpoint } from '../../../../server/db/entities/log.js';
import { rotateKeys } from '../../../../server/operations/jobs/job-list.js';
import { pruneCheckpoints } from '../../../../server/operations/jobs/prune-checkpoints.js';
import { givenBoard } from '../../../support/hooks.js';
import { publish } from '../../../support/post.js';
import { rows } from '../../../support/rows.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const { signal: NEVER } = new AbortController();

describe('The rotation of day keys', () => {
  const test = givenBoard({ env: { ROLES: 'api' } });

  const days = async () => {
    const all = await rows(test).find(DayKey, { order: { day: 'ASC' } });
    return all.map(({ day }) => day);
  };
  const rotate = () => rotateKeys(test.board.context);

  it('makes the key of tomorrow before anybody needs it', async () => {
    expect(await rotate()).to.deep.equal({ day_keys: 0 });
    expect(await days()).to.include.members(['2026-01-15', '2026-01-16']);
  });

  it('erases a key 48 hours after its day began', async () => {
    await rotate();
    test.clock.set(Date.UTC(2026, 0, 17) - 1);
    await rotate();
    expect(await days()).to.include('2026-01-15');
    test.clock.advance(1);
    expect(await rotate()).to.deep.equal({ day_keys: 1 });
    expect(await days()).to.deep.equal([
      '2026-01-16',
      '2026-01-17',
      '2026-01-18',
    ]);
  });

  it('never changes a key', async () => {
    await rotate();
    const key = async () => {
      const day = '2026-01-18';
      const found = await rows(test).findOneByOrFail(DayKey, { day });
      return found.key.toString('hex');
    };
    const before = await key();
    test.clock.advance(24 * HOUR_MS);
    await rotate();
    expect(await key()).to.equal(before);
  });
});

describe('The pruning of checkpoints', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });

  const sizes = async () => {
    const where = { originId: 0 };
    const order = { size: 'ASC' } as const;
    const all = await rows(test).find(LogCheckpoint, { where, order });
    return all.map(({ size }) => size);
  };
  const prune = (kept: number) =>
    pruneCheckpoints(test.board.context, NEVER, kept);

  it('keeps the newest, and of each earlier hour the last', async () => {
    // Four an hour: at :00, :20, :40 and again :40 of 12, 13 and 14.
    await publish(test);
    for (let hour = 0; hour < 3; hour += 1) {
      for (let n = 0; n < 3; n += 1) {
        await publish(test, { reply_to: 1 });
        test.clock.advance(20 * MINUTE_MS);
      }
    }
    expect(await sizes()).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(await prune(2)).to.deep.equal({ checkpoints: 6 });
    // 5 ends hour 12, 8 hour 13; 9 is the last of 14 before the newest two.
    expect(await sizes()).to.deep.equal([5, 8, 9, 10, 11]);
    expect(await prune(2)).to.deep.equal({ checkpoints: 0 });
  });

  it('keeps all while there are few', async () => {
    for (let n = 0; n < 4; n += 1) await publish(test, { title: `T ${n}` });
    expect(await prune(10_000)).to.deep.equal({ checkpoints: 0 });
    const all = await sizes();
    expect(await prune(all.length)).to.deep.equal({ checkpoints: 0 });
    expect(await sizes()).to.deep.equal(all);
  });

  it('goes through many pages', async () => {
    const { writes } = test.board.context;
    await writes.query(
      `INSERT INTO log_checkpoint (origin_id, size, root, note, at)
       SELECT 0, n, '\\x00', '', n * 600000::bigint
       FROM generate_series(1000, 4599) n`,
    );
    const before = (await sizes()).length;
    const { checkpoints = 0 } = await prune(100);
    const left = await sizes();
    expect(left).to.have.length(before - checkpoints);
    // 3500 of six an hour, whole hours, and what was there before.
    const old = left.filter((size) => size >= 1000 && size < 4500);
    expect(old.every((size) => size % 6 === 5 || size === 4499)).to.equal(true);
    expect(old).to.have.length(584);
    expect(left.filter((size) => size >= 4500)).to.have.length(100);
    await writes.query('DELETE FROM log_checkpoint WHERE size >= 1000');
  });
});
