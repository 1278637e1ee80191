import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['mirror_decision', 'mirror_update'];
const PARTED = [
  'log_entry',
  'log_node',
  'mirror_message',
  'mirror_decision',
  'mirror_search',
  'mirror_update',
];
const FORMERLY_PARTED = PARTED.filter((table) => !TABLES.includes(table));

/** Frees the names of their indexes for the tables that take their place. */
const ASIDE = [
  'DROP INDEX mirror_decision_message',
  'DROP INDEX mirror_decision_target',
  'ALTER TABLE mirror_decision DROP CONSTRAINT mirror_decision_pkey',
  'ALTER TABLE mirror_update DROP CONSTRAINT mirror_update_pkey',
  'ALTER TABLE mirror_update DROP CONSTRAINT mirror_update_once',
  ...TABLES.map((table) => `ALTER TABLE ${table} RENAME TO ${table}_aside`),
];

const made = (parted: string) =>
  TABLES.map(
    (table) => `CREATE TABLE ${table}
      (LIKE ${table}_aside INCLUDING DEFAULTS INCLUDING CONSTRAINTS) ${parted}`,
  );

const filled = TABLES.flatMap((table) => [
  `INSERT INTO ${table} SELECT * FROM ${table}_aside`,
  `DROP TABLE ${table}_aside`,
]);

const INDEXES = [
  'ALTER TABLE mirror_decision ADD PRIMARY KEY (origin_id, idx)',
  'CREATE INDEX mirror_decision_message ON mirror_decision (origin_id, message_id, idx)',
  'CREATE INDEX mirror_decision_target ON mirror_decision (target, message_id, idx)',
  `ALTER TABLE mirror_update ADD CONSTRAINT mirror_update_once
    UNIQUE (origin_id, id)`,
];

const list = (tables: readonly string[]) =>
  tables.map((table) => `'${table}'`).join(', ');

/** See the migration of the mesh; ATTACH lets the own log go on meanwhile. */
const open = (parted: readonly string[]) => `
  CREATE OR REPLACE FUNCTION mirror_open(p_origin integer) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    parent text;
  BEGIN
    IF p_origin < 1 THEN RAISE EXCEPTION 'origin 0 is the own log'; END IF;
    FOREACH parent IN ARRAY ARRAY[${list(parted)}] LOOP
      IF to_regclass(format('%s_%s', parent, p_origin)) IS NULL THEN
        EXECUTE format(
          'CREATE TABLE %1$I (LIKE %2$I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
          parent || '_' || p_origin, parent);
        EXECUTE format(
          'ALTER TABLE %2$I ATTACH PARTITION %1$I FOR VALUES IN (%3$s)',
          parent || '_' || p_origin, parent, p_origin);
      END IF;
    END LOOP;
  END $$`;

/**
 * Forgets a mirrored log. The tables are locked first of all and in the order
 * in which a page and a publication come to them: neither then waits for this
 * while this waits for it.
 */
const drop = (parted: readonly string[], rest: readonly string[]) => `
  CREATE OR REPLACE FUNCTION mirror_drop(p_origin integer) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    parent text;
  BEGIN
    IF p_origin < 1 THEN RAISE EXCEPTION 'origin 0 is the own log'; END IF;
    FOREACH parent IN ARRAY ARRAY[${list(parted)}] LOOP
      EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', parent);
    END LOOP;
    FOREACH parent IN ARRAY ARRAY[${list(parted)}] LOOP
      EXECUTE format('DROP TABLE IF EXISTS %I', parent || '_' || p_origin);
    END LOOP;
    ${rest.map((table) => `DELETE FROM ${table} WHERE origin_id = p_origin;`).join('\n    ')}
  END $$`;

/**
 * From which seq on the messages of a log follow each other, until those of
 * another one do: where in the order of all logs which one is to be asked.
 */
const STRETCHES = [
  `CREATE TABLE mirror_stretch (
    first_seq bigint PRIMARY KEY,
    origin_id integer NOT NULL
  )`,
  `INSERT INTO mirror_stretch (first_seq, origin_id)
   SELECT seq, origin_id FROM (SELECT seq, origin_id,
       lag(origin_id) OVER (ORDER BY seq) AS before
     FROM mirror_update_aside) u
   WHERE before IS DISTINCT FROM origin_id`,
];

const SMALL = [
  'agent_key',
  'agent_key_event',
  'log_cosignature',
  'log_checkpoint',
  'mirror_state',
  'peer_usage',
  'log_state',
];

/** Logs with partitions, rows or a state: what was kept, keeps its place. */
const OPEN_ALL = `SELECT mirror_open(o.id) FROM (
    SELECT origin_id AS id FROM log_state WHERE origin_id > 0
    UNION SELECT substring(c.relname FROM '^log_entry_([0-9]+)$')::int
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'log_entry'::regclass
      AND c.relname ~ '^log_entry_[0-9]+$'
    UNION SELECT origin_id FROM mirror_decision_aside
    UNION SELECT origin_id FROM mirror_update_aside) o`;

/**
 * A partition for each mirrored log of decisions, and of the order in which
 * messages became readable, too: what is dropped with a peer leaves no rows
 * behind to be cleared away. The seq of that order is unique over all logs
 * because whoever holds the row of `stream` gives it; no index can say so.
 */
export class MirrorsByPeer1763800700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      ...ASIDE,
      ...made('PARTITION BY LIST (origin_id)'),
      ...INDEXES,
      // By seq first: a read of several logs merges their indexes in its order.
      'ALTER TABLE mirror_update ADD PRIMARY KEY (seq, origin_id)',
      ...STRETCHES,
      open(PARTED),
      drop(PARTED, ['mirror_stretch', ...SMALL]),
      OPEN_ALL,
      ...filled,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const statements = [
      ...ASIDE,
      ...made(''),
      ...INDEXES,
      'ALTER TABLE mirror_update ADD PRIMARY KEY (seq)',
      ...filled,
      'DROP TABLE mirror_stretch',
      open(FORMERLY_PARTED),
      drop(FORMERLY_PARTED, [...TABLES, ...SMALL]),
    ];
    for (const statement of statements) await runner.query(statement);
  }
}
