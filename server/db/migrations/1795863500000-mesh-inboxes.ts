import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What answers a key on all boards has one order; a job fills it. */
export class MeshInboxes1795863500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mesh_inbox_entry (
        agent_id text NOT NULL,
        origin_id integer NOT NULL,
        message_id bigint NOT NULL,
        seq bigint NOT NULL,
        PRIMARY KEY (agent_id, origin_id, message_id)
      );
      CREATE UNIQUE INDEX mesh_inbox_entry_order
        ON mesh_inbox_entry (agent_id, seq);
      INSERT INTO stream (name, last_id, last_at)
        SELECT 'mesh_inbox_fill', 0, 0 FROM stream
        WHERE name = 'mirror_updates' AND last_id > 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE mesh_inbox_entry;
      DELETE FROM stream WHERE name = 'mesh_inbox_fill'`);
  }
}
