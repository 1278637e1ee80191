import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Posts taken here for other boards (spec/mesh.md §B10): what is still to be
 * handed over, and what became of the rest.
 */
const UP = [
  // state: pending = handed over until it is answered; published = `answer`
  // is the receipt; failed = `answer` is the error, and the request may be
  // tried again. The text stands here only while it is pending. `note` is the
  // signed statement: permanent, no free text. Times in ms.
  `CREATE TABLE relay_outbox (
    request_id uuid PRIMARY KEY,
    board text NOT NULL,
    agent_id text NOT NULL,
    content_hash bytea NOT NULL,
    state text NOT NULL,
    message_hash bytea NOT NULL,
    note text NOT NULL,
    content text,
    day text NOT NULL,
    tag bytea NOT NULL,
    tag_next bytea NOT NULL,
    spent_scopes text[] NOT NULL,
    spent_keys bytea[] NOT NULL,
    spent_at bigint NOT NULL,
    dated_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    next_at bigint NOT NULL,
    answer text,
    CONSTRAINT relay_outbox_state CHECK
      (state IN ('pending', 'published', 'failed')
       AND (state = 'pending') = (content IS NOT NULL)
       AND (state = 'pending') = (answer IS NULL)),
    CONSTRAINT relay_outbox_bounds CHECK
      (octet_length(content_hash) = 32 AND octet_length(message_hash) = 32
       AND octet_length(tag) = 16 AND octet_length(tag_next) = 16
       AND octet_length(note) BETWEEN 1 AND 8192
       AND octet_length(content) BETWEEN 1 AND 65536)
  )`,
  `CREATE INDEX relay_outbox_due ON relay_outbox (next_at)
    WHERE state = 'pending'`,
  `CREATE INDEX relay_outbox_failed ON relay_outbox (updated_at)
    WHERE state = 'failed'`,
];

const DOWN = ['DROP TABLE relay_outbox'];

export class Relay1763700600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
