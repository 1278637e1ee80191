import { nextStretches } from '../../../mesh/boards/merged-page.sql.js';
import { noteReadable } from '../../../mesh/pull/store/updates.sql.js';
import { lockWaits, newDatabase } from '../../support/database.js';
import { givenEach } from '../../support/hooks.js';
import { until } from '../../support/until.js';

/** Logs by origin id, and how many of their messages become readable. */
const READABLE = [
  [1, 2],
  [1, 1],
  [2, 3],
  [3, 1],
  [1, 2],
] as const;

describe('the order of mirrored messages by stretches', () => {
  const { db } = givenEach(newDatabase(4));

  beforeEach(async () => {
    const last = new Map<number, number>();
    for (const id of [1, 2, 3]) {
      await db.query('SELECT mirror_open($1)', [id]);
      await db.query(
        `INSERT INTO mirror_decision (origin_id, idx, message_id, target,
           action, at, received_at, applied)
         VALUES ($1, 7, 1, '\\x00', 'keep', 1, 1, true)`,
        [id],
      );
    }
    for (const [log, count] of READABLE) {
      const from = last.get(log) ?? 0;
      const ids = Array.from({ length: count }, (_, n) => from + n + 1);
      last.set(log, from + count);
      await db.transaction((tx) => noteReadable(tx, log, ids, 1));
    }
  });

  const rowsOf = (table: string, order: string) =>
    db.query(`SELECT * FROM ${table} ORDER BY ${order}`);

  async function everything() {
    return {
      updates: await rowsOf('mirror_update', 'seq'),
      decisions: await rowsOf('mirror_decision', 'origin_id'),
    };
  }

  const starts = async () =>
    (await rowsOf('mirror_stretch', 'first_seq')).map((row) => [
      row.first_seq,
      row.origin_id,
    ]);

  const STARTS = [
    [1, 1],
    [4, 2],
    [7, 3],
    [8, 1],
  ];

  it('begins one where another log goes on', async () => {
    expect(await starts()).to.deep.equal(STARTS);
  });

  it('begins one also after a log that was waited for', async () => {
    let begun = () => {};
    const holds = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let letGo = () => {};
    const free = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const first = db.transaction(async (tx) => {
      await noteReadable(tx, 2, [10, 11], 1);
      begun();
      await free;
    });
    await holds;
    // Of the log that was the last one until now.
    const second = db.transaction((tx) => noteReadable(tx, 1, [10], 1));
    await until('one waits', async () => (await lockWaits(db)) === 1);
    letGo();
    await Promise.all([first, second]);
    expect(await starts()).to.deep.equal([...STARTS, [10, 2], [12, 1]]);
  });

  it('goes from piece to piece to what was given last', async () => {
    const ends: unknown[] = [];
    for (let since = 0; ; ) {
      const next = await nextStretches(db, since, 1);
      if (next === null) break;
      ends.push([next.until, next.more]);
      since = next.until;
    }
    expect(ends).to.deep.equal([
      [3, true],
      [6, true],
      [7, true],
      [9, false],
    ]);
  });

  it('drops what it had of a log with its partitions', async () => {
    const { updates, decisions } = await everything();
    await db.query('SELECT mirror_drop(1)');
    const left = (row: { origin_id?: number }) => row.origin_id !== 1;
    expect(await everything()).to.deep.equal({
      updates: updates.filter(left),
      decisions: decisions.filter(left),
    });
    const parts = await db.query(
      "SELECT FROM pg_class WHERE relname ~ '^(mirror|log)_[a-z]+_1$'",
    );
    expect(parts).to.have.length(0);
    expect(await starts()).to.deep.equal([
      [4, 2],
      [7, 3],
    ]);
  });
});
