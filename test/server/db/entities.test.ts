import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../server/db/data-source.js';
import { admin, createDatabase } from '../../support/cluster.js';

/** Definitions as PostgreSQL prints them, one a line, without names it made. */
const SCHEMA = {
  columns: `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      a.attnotnull,
      regexp_replace(pg_get_expr(d.adbin, d.adrelid), '^''(\\d+)''::.*$', '\\1')
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`,
  constraints: `SELECT c.relname, k.contype,
      CASE WHEN k.contype <> 'p' THEN k.conname END, pg_get_constraintdef(k.oid)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE k.contype IN ('p', 'u', 'f', 'c')`,
  indexes: `SELECT c.relname, replace(pg_get_indexdef(i.indexrelid), ' ONLY ', ' ')
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE NOT EXISTS (SELECT FROM pg_constraint k
      WHERE k.conindid = i.indexrelid)`,
};

/** What TypeORM cannot say: tables without a key, an index of an expression. */
const UNSAID = /^(admin_pending|budget_spend|migrations) |operator_alias/;

/** `IN (…)` means the same in every order. */
const sorted = (text: string) =>
  text.replace(/ARRAY\[[^\]]*\]/g, (list) => list.split(/\W+/).sort().join());

async function schemaOf(source: DataSource): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [what, select] of Object.entries(SCHEMA)) {
    const rows = await source.query<Record<string, unknown>[]>(
      `${select} AND c.relnamespace = 'public'::regnamespace
         AND NOT c.relispartition`,
    );
    found[what] = rows
      .map((row) => sorted(Object.values(row).join(' ')))
      .filter((line) => !UNSAID.test(line))
      .sort();
  }
  return found;
}

const connected = (url: string) =>
  createDataSource(
    { url },
    { max: 2, onPoolError: () => {}, patient: true },
  ).initialize();

describe('entities', () => {
  it('say what the database has, expressions included', async () => {
    const migrated = await createDatabase();
    const made = await createDatabase();
    const name = new URL(made.url).pathname.slice(1);
    await admin(`DROP DATABASE ${name}`);
    await admin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    const schemas = [];
    for (const { url, drop } of [migrated, made]) {
      const source = await connected(url);
      try {
        if (url === made.url) await source.synchronize();
        schemas.push(await schemaOf(source));
      } finally {
        await source.destroy();
        await drop();
      }
    }
    expect(schemas[0]?.columns).to.have.length.above(400);
    expect(schemas[1]).to.deep.equal(schemas[0]);
  });

  it('have a relation for each foreign key of the database', async () => {
    const { url, drop } = await createDatabase();
    const source = await connected(url);
    try {
      const keys = await source.query<{ table: string; key: string }[]>(
        `SELECT conrelid::regclass::text AS "table", conname AS key
         FROM pg_constraint WHERE contype = 'f' AND conparentid = 0`,
      );
      const relations = source.entityMetadatas.flatMap((entity) =>
        entity.relations.flatMap(({ foreignKeys }) =>
          foreignKeys.map(({ name }) => ({
            table: entity.tableName,
            key: name,
          })),
        ),
      );
      expect(keys).to.have.length.above(15);
      expect(relations).to.have.deep.members(keys);
    } finally {
      await source.destroy();
      await drop();
    }
  });
});
