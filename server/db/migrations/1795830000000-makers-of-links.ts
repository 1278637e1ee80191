import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Set-up links name the account that made them, and end with its right to. Who
 * made an open one is unknown, so it ends here: a new one is made in a minute.
 */
export class MakersOfLinks1795830000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM operator_invite WHERE name IS NOT NULL;
      ALTER TABLE operator_invite ADD made_by uuid
        CONSTRAINT operator_invite_by REFERENCES operator ON DELETE CASCADE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operator_invite DROP made_by');
  }
}
