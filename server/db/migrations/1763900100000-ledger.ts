import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  -- One row per log this node keeps; origin 0 is its own (spec/mesh.md §B4, §B7).
  -- A closed generation keeps its rows under an origin id of its own, with the
  -- time, in ms, at which it was closed (spec/mesh.md §B1).
  CREATE TABLE log_state (
    origin_id integer PRIMARY KEY,
    board text NOT NULL,
    origin text NOT NULL UNIQUE,
    generation integer NOT NULL DEFAULT 1,
    log_vkey text NOT NULL,
    identity text NOT NULL,
    size bigint NOT NULL,
    frontier bytea NOT NULL,
    last_message_id bigint NOT NULL,
    last_at bigint NOT NULL,
    checkpoint text NOT NULL,
    closed_at bigint
  );
  CREATE INDEX log_state_closed ON log_state (closed_at)
    WHERE closed_at IS NOT NULL;

  -- Leaves are bytes: a mirrored log's may hold what a text column refuses.
  -- fault says in one word why an entry is invalid.
  CREATE TABLE log_entry (
    origin_id integer NOT NULL,
    idx bigint NOT NULL,
    type text NOT NULL,
    message_id bigint,
    agent_id text,
    message_hash bytea,
    leaf bytea NOT NULL,
    leaf_hash bytea NOT NULL,
    status text NOT NULL DEFAULT 'ok',
    fault text,
    PRIMARY KEY (origin_id, idx)
  ) PARTITION BY LIST (origin_id);

  CREATE TABLE log_entry_own PARTITION OF log_entry FOR VALUES IN (0);
  CREATE UNIQUE INDEX log_entry_post ON log_entry (origin_id, message_id)
    WHERE type = 'post';
  CREATE INDEX log_entry_invalid ON log_entry (origin_id, idx)
    WHERE status = 'invalid';

  CREATE TABLE log_node (
    origin_id integer NOT NULL,
    level smallint NOT NULL,
    idx bigint NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (origin_id, level, idx)
  ) PARTITION BY LIST (origin_id);

  CREATE TABLE log_node_own PARTITION OF log_node FOR VALUES IN (0);

  CREATE TABLE log_checkpoint (
    origin_id integer NOT NULL,
    size bigint NOT NULL,
    root bytea NOT NULL,
    note text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (origin_id, size)
  );

  -- Cosignatures of any log: others' of ours (origin 0), ours of others'.
  CREATE TABLE log_cosignature (
    origin_id integer NOT NULL,
    size bigint NOT NULL,
    cosigner text NOT NULL,
    vkey text NOT NULL,
    line text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (origin_id, size, cosigner),
    CONSTRAINT log_cosignature_lengths CHECK
      (octet_length(vkey) <= 300 AND octet_length(line) <= 400)
  );
  CREATE INDEX log_cosignature_newest ON log_cosignature (origin_id, cosigner, size);

  -- Ordered streams other than the log: who locks the row gives the ids.
  CREATE TABLE stream (
    name text PRIMARY KEY,
    last_id bigint NOT NULL,
    last_at bigint NOT NULL
  );

  -- Ids of rows that no reader follows; their row is their lock.
  CREATE TABLE id_counter (
    name text PRIMARY KEY,
    last_id bigint NOT NULL
  );
`;

const DOWN = `
  DROP TABLE log_state, log_entry, log_node,
    log_checkpoint, log_cosignature, stream, id_counter CASCADE;
`;

/**
 * The row of `log_state` or `stream` gives ids under its lock, no sequence:
 * readers follow them. Times are integer milliseconds of the process.
 */
export class Ledger1763900100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
