import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../server/db/data-source.js';
import { migrate } from '../../../server/db/migrate.js';
import { admin, createDatabase } from '../../support/cluster.js';

/** What release 0.2.0 made. Never changed: every later migration follows it. */
const RELEASED = [
  'Ledger1763900100000',
  'Posting1763900200000',
  'VotesAndPolls1763900300000',
  'Moderation1763900400000',
  'Agents1763900500000',
  'Operations1763900600000',
  'Mesh1763900700000',
  'Operators1763900800000',
  'NotedInCode1763901000000',
];

const fail = (error: Error) => {
  throw error;
};

type Rows = Record<string, Record<string, unknown>[]>;

/**
 * Every row of every table, as JSON, in an order of its own; of a table that
 * is in `before` only the columns that it had then.
 */
async function contentsOf(source: DataSource, before?: Rows): Promise<Rows> {
  const tables = await source.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> 'migrations' ORDER BY 1`,
  );
  const contents: Rows = {};
  for (const { name } of tables) {
    const rows = await source.query<{ row: Record<string, unknown> }[]>(
      `SELECT to_jsonb(t) AS row FROM "${name}" t`,
    );
    const columns = Object.keys(before?.[name]?.[0] ?? rows[0]?.row ?? {});
    contents[name] = rows
      .map(({ row }) => Object.fromEntries(columns.map((c) => [c, row[c]])))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return contents;
}

/** Streams that migrations since then began. */
const BEGUN_SINCE = ['notifications', 'watched_messages', 'watched_ratings'];

/** Its statements, which fill every table. */
const FILL = new URL('./release-0.2.0.sql', import.meta.url);

describe('a filled database of release 0.2.0', () => {
  it('is brought to the schema of today with all its rows', async () => {
    const { url, drop } = await createDatabase();
    const name = new URL(url).pathname.slice(1);
    await admin(`DROP DATABASE ${name}`);
    await admin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    expect(await migrate({ url }, fail, RELEASED)).to.deep.equal(RELEASED);
    const options = { max: 1, onPoolError: fail, patient: true };
    const source = await createDataSource({ url }, options).initialize();
    try {
      await source.query(await readFile(FILL, 'utf8'));
      const before = await contentsOf(source);
      for (const [table, rows] of Object.entries(before)) {
        expect(rows, `rows of ${table}`).not.to.have.length(0);
      }
      await migrate({ url }, fail);
      // As `npm run migration:check` asks.
      const drift = await source.driver.createSchemaBuilder().log();
      expect(drift.upQueries.map(({ query }) => query)).to.deep.equal([]);
      const after = await contentsOf(source, before);
      // A migration that means to add or change rows says here which.
      const began = ({ name }: Record<string, unknown>) =>
        BEGUN_SINCE.includes(String(name));
      expect(after.stream?.filter(began)).to.have.length(BEGUN_SINCE.length);
      const stream = after.stream?.filter((row) => !began(row));
      expect({ ...after, stream }).to.deep.include(before);
    } finally {
      await source.destroy();
      await drop();
    }
  });

  it('has in the schema of today all that its statements use', async () => {
    // A process of it may still serve when the newer one has migrated.
    const { url, drop } = await createDatabase();
    const options = { max: 1, onPoolError: fail, patient: true };
    const source = await createDataSource({ url }, options).initialize();
    try {
      await source.query(await readFile(FILL, 'utf8'));
      const { message, decision } = await contentsOf(source);
      expect([message?.length, decision?.length]).to.deep.equal([2, 2]);
    } finally {
      await source.destroy();
      await drop();
    }
  });
});
