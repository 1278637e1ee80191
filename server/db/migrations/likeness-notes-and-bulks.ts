import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AlikeTexts1795736000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message ADD text_key bytea, ADD link_hosts text[],
        ADD CONSTRAINT message_likeness CHECK
          (removed_at IS NULL OR (text_key IS NULL AND link_hosts IS NULL));
      CREATE INDEX message_author ON message (author, id);
      CREATE INDEX message_text_key ON message (text_key, id)
        WHERE text_key IS NOT NULL;
      CREATE INDEX message_links ON message USING gin (link_hosts);
      CREATE INDEX message_without_key ON message (id)
        WHERE text_key IS NULL AND removed_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX message_author;
      ALTER TABLE message DROP text_key, DROP link_hosts`);
  }
}

const REASONS = `'spam', 'advertising', 'dangerous_instructions',
  'rating_visibility', 'privacy', 'legal', 'author_request', 'other',
  'disagreement'`;
const STAY = `'within_rules', 'report_unfounded', 'decided_by_mistake',
  'new_information'`;

export class OperatorsAtScale1795736100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE decision DROP CONSTRAINT decision_reason,
        ADD CONSTRAINT decision_reason CHECK (reason IN (${REASONS}, ${STAY}));
      ALTER TABLE report ADD first_claimed_at bigint;
      CREATE TABLE subject_note (
        id uuid PRIMARY KEY,
        message_id bigint NOT NULL
          CONSTRAINT subject_note_of REFERENCES message (id),
        note text NOT NULL,
        operator_id uuid,
        operator text NOT NULL,
        at bigint NOT NULL,
        CONSTRAINT subject_note_lengths
          CHECK (char_length(note) BETWEEN 1 AND 2000)
      );
      CREATE INDEX subject_note_message ON subject_note (message_id, at);
      CREATE TABLE bulk (
        id uuid PRIMARY KEY,
        operator_id uuid,
        operator text NOT NULL,
        action text NOT NULL,
        reason text NOT NULL,
        outcome text,
        explanation text NOT NULL,
        private_note text,
        settle_reports boolean NOT NULL,
        undoes uuid,
        created_at bigint NOT NULL,
        cancelled_at bigint
      );
      CREATE INDEX bulk_created ON bulk (created_at, id);
      CREATE INDEX bulk_undoes ON bulk (undoes) WHERE undoes IS NOT NULL;
      CREATE TABLE bulk_item (
        bulk_id uuid NOT NULL CONSTRAINT bulk_item_of REFERENCES bulk (id),
        n integer NOT NULL,
        subject text NOT NULL,
        message_id bigint,
        seen bigint,
        supersedes bigint,
        state text NOT NULL DEFAULT 'waiting',
        decision_id bigint,
        error jsonb,
        PRIMARY KEY (bulk_id, n),
        CONSTRAINT bulk_item_subject UNIQUE (bulk_id, subject),
        CONSTRAINT bulk_item_message UNIQUE (bulk_id, message_id),
        CONSTRAINT bulk_item_state
          CHECK (state IN ('waiting', 'done', 'refused'))
      );
      CREATE INDEX bulk_item_next ON bulk_item (bulk_id, state, n)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE bulk_item, bulk, subject_note;
      ALTER TABLE report DROP first_claimed_at;
      ALTER TABLE decision DROP CONSTRAINT decision_reason,
        ADD CONSTRAINT decision_reason CHECK (reason IN (${REASONS})) NOT VALID`);
  }
}
