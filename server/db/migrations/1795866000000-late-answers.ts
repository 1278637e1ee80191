import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A process of an older release may serve on for a while. What it writes has the
 * default, which says that its answers are in no inbox; this release writes null.
 * Of mirrored logs it leaves the row of `stream` behind, which stays now.
 */
export class LateAnswers1795866000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message ADD unindexed boolean;
      ALTER TABLE message ALTER unindexed SET DEFAULT true;
      CREATE INDEX message_unindexed ON message (id) WHERE unindexed;
      INSERT INTO stream (name, last_id, last_at)
        SELECT 'mesh_inbox_fill', last_id, last_at FROM stream
        WHERE name = 'mirror_updates'
        ON CONFLICT DO NOTHING`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE message DROP unindexed');
  }
}
