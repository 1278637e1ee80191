import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators answer to who reported, when a report is settled. */
export class AnswersToReporters1795861000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE report ADD answer text;
      ALTER TABLE bulk ADD answer text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE report DROP answer;
      ALTER TABLE bulk DROP answer`);
  }
}
