import { expect } from 'chai';
import pg from 'pg';
import { lookupIn, ownLogOf } from '../../../server/ledger/own-log.sql.js';
import { createDatabase } from '../../support/cluster.js';

const LOGS = 500;

describe('the log that gave a message its ID', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let client: pg.Client;

  before(async () => {
    database = await createDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // The own log ends at 100, a closed one before it at 50.
    await client.query(
      `INSERT INTO log_state (origin_id, board, origin, log_vkey, identity,
         size, frontier, last_message_id, last_at, checkpoint, closed_at)
       SELECT n, n::text, n::text, 'k', repeat('i', 900), 1, ''::bytea, 1000, 1, 'c',
         NULL::bigint
       FROM generate_series(2, ${LOGS}) n
       UNION ALL VALUES
         (0, 'own', 'own', 'k', 'i', 1, ''::bytea, 100, 1, 'c', NULL),
         (1, 'old', 'old', 'k', 'i', 1, ''::bytea, 50, 1, 'c', 7)`,
    );
    await client.query('ANALYZE log_state');
  });

  after(async () => {
    await client.end();
    await database.drop();
  });

  const originOf = async (id: number) => {
    const { rows } = await client.query<{ origin: number | null }>(
      `SELECT ${ownLogOf(String(id))} AS origin`,
    );
    return rows[0]?.origin;
  };

  it('is the oldest of its own that reaches the ID', async () => {
    expect(await originOf(50)).to.equal(1);
    expect(await originOf(51)).to.equal(0);
    expect(await originOf(101)).to.equal(null);
  });

  it('is found without reading the state of every mirrored log', async () => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT ${ownLogOf('50')}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).to.include('log_state_closed').and.not.include('Seq Scan');
  });
});

describe('the stored tree of a log', () => {
  it('is damaged where a node lacks: an error, never another hash', () => {
    const lookup = lookupIn(new Map());
    expect(() => lookup({ level: 1, index: 0 })).to.throw(RangeError);
  });
});
