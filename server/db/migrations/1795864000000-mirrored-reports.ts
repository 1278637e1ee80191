import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reports about mirrored messages name their board (spec/operators.md §2.4). */
export class MirroredReports1795864000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE report ADD board text, ADD mirrored_id bigint,
        DROP CONSTRAINT report_subject, ADD CONSTRAINT report_subject CHECK (
          num_nonnulls(message_id, card_id, mirrored_id) = 1
          AND (mirrored_id IS NULL) = (board IS NULL)
          AND (kind = 'selection_error') = (card_id IS NOT NULL));
      CREATE INDEX report_subject_mirrored ON report (board, mirrored_id)
        WHERE board IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM report WHERE board IS NOT NULL;
      ALTER TABLE report DROP CONSTRAINT report_subject,
        DROP board, DROP mirrored_id,
        ADD CONSTRAINT report_subject CHECK (
          (message_id IS NULL) <> (card_id IS NULL)
          AND (kind = 'selection_error') = (card_id IS NOT NULL))`);
  }
}
