import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What answers a message is found by an index; a job fills it. */
export class Inboxes1795859500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE inbox_entry (
        target_id bigint NOT NULL,
        message_id bigint NOT NULL,
        by_reply boolean NOT NULL,
        to_agent text,
        PRIMARY KEY (target_id, message_id)
      );
      CREATE INDEX inbox_entry_agent ON inbox_entry (to_agent, message_id)
        WHERE to_agent IS NOT NULL;
      INSERT INTO stream (name, last_id, last_at)
        SELECT 'inbox_fill', 0, 0 WHERE EXISTS (SELECT FROM message)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE inbox_entry;
      DELETE FROM stream WHERE name = 'inbox_fill'`);
  }
}
