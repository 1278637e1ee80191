import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A report that repeats one of what was kept waits for a third network. */
export class RepeatedReports1795862000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE report ADD reporter bytea, ADD repeats bigint
        CONSTRAINT report_repeats REFERENCES decision (id);
      CREATE INDEX report_reporter ON report (status_at)
        WHERE reporter IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE report DROP reporter, DROP repeats');
  }
}
