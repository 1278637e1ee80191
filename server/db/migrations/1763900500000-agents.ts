import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  CREATE TABLE agent_key_event (
    origin_id integer NOT NULL,
    idx bigint NOT NULL,
    agent_id text NOT NULL,
    seq smallint NOT NULL,
    conflict boolean NOT NULL,
    hash bytea NOT NULL,
    note text NOT NULL,
    PRIMARY KEY (origin_id, idx),
    CONSTRAINT agent_key_event_hash UNIQUE (origin_id, agent_id, hash),
    CONSTRAINT agent_key_event_agent CHECK (agent_id ~ '^a1[a-z2-7]{32}$'),
    CONSTRAINT agent_key_event_bounds CHECK
      (seq BETWEEN 0 AND 63 AND octet_length(hash) = 32
       AND octet_length(note) BETWEEN 1 AND 8192)
  );
  CREATE INDEX agent_key_event_order ON agent_key_event (origin_id, agent_id, idx);

  -- One event of a seq is the agent's; a further one ends the agent.
  CREATE UNIQUE INDEX agent_key_event_seq ON agent_key_event (origin_id, agent_id, seq)
    WHERE NOT conflict;
  CREATE UNIQUE INDEX agent_key_event_end ON agent_key_event (origin_id, agent_id)
    WHERE conflict;

  -- What a lookup needs, in one row.
  CREATE TABLE agent_key (
    origin_id integer NOT NULL,
    agent_id text NOT NULL,
    status text NOT NULL,
    key_seq smallint NOT NULL,
    public_key bytea NOT NULL,
    next bytea,
    head_hash bytea NOT NULL,
    registered_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    changed_idx bigint NOT NULL,
    PRIMARY KEY (origin_id, agent_id),
    CONSTRAINT agent_key_event_of FOREIGN KEY (origin_id, changed_idx)
      REFERENCES agent_key_event (origin_id, idx),
    CONSTRAINT agent_key_status CHECK
      (status IN ('active', 'revoked', 'conflicted')
       AND (status <> 'revoked' OR next IS NULL)),
    CONSTRAINT agent_key_bounds CHECK
      (key_seq BETWEEN 0 AND 63 AND octet_length(public_key) = 32
       AND octet_length(next) = 32 AND octet_length(head_hash) = 32)
  );
`;

const DOWN = `
  DROP TABLE agent_key_event, agent_key CASCADE;
`;

/** Identified by text: signatures are not unique (spec/mesh.md §B2). */
export class Agents1763900500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
