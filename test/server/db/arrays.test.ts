import { expect } from 'chai';
import pg from 'pg';
import {
  bigints,
  byteas,
  integers,
  smallints,
  texts,
} from '../../../server/db/arrays.js';
import { createDatabase } from '../../support/cluster.js';

describe('lists as binary arrays', () => {
  let pool: pg.Pool;
  let drop: () => Promise<void>;

  before(async () => {
    const made = await createDatabase();
    drop = made.drop;
    pool = new pg.Pool({ connectionString: made.url, max: 1 });
  });

  after(async () => {
    await pool.end();
    await drop();
  });

  /** What the server makes of the list, value by value as its text. */
  async function read(list: unknown, type: string): Promise<unknown[]> {
    const { rows } = await pool.query<{ value: string | null }>(
      `SELECT unnest($1::${type}[])::text AS value`,
      [list],
    );
    return rows.map(({ value }) => value);
  }

  it('hold what the same lists hold as text', async () => {
    const words = ['', 'a "b" \\ {c},\n', 'NULL', null, 'é — 漢 🐘', ' x '];
    const bytes = [Buffer.from([0, 92, 120, 255]), null, new Uint8Array(0)];
    const numbers = [0, 1, -1, null, 2 ** 31, 2 ** 53 - 1, -(2 ** 40) - 7];
    const words32 = [0, null, 2 ** 31 - 1, -(2 ** 31)];
    const words16 = [1, -1, null, 32_767, -32_768];
    const pairs = [
      [texts(words), words, 'text'],
      [byteas(bytes), bytes, 'bytea'],
      [bigints(numbers), numbers, 'bigint'],
      [integers(words32), words32, 'integer'],
      [smallints(words16), words16, 'smallint'],
    ] as const;
    for (const [list, values, type] of pairs) {
      const found = await read(list, type);
      expect(found, type).to.deep.equal(await read(values, type));
      expect(found, type).to.have.length(values.length);
    }
  });

  it('may be empty', async () => {
    expect(await read(texts([]), 'text')).to.deep.equal([]);
    expect(await read(byteas([]), 'bytea')).to.deep.equal([]);
  });

  it('take bytes from the middle of others', async () => {
    const whole = Uint8Array.from({ length: 100 }, (_, n) => n);
    const found = await read(byteas([whole.subarray(10, 12)]), 'bytea');
    expect(found).to.deep.equal(['\\x0a0b']);
  });
});
