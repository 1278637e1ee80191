import type { MigrationInterface, QueryRunner } from 'typeorm';

// Every change of the schema since release 0.2.0 is one more class in this file
// and one more line in its list. A released one is never changed.

/**
 * Events of the dashboards are noted by the code that causes them; a database
 * of release 0.1.0 has triggers that would note them a second time.
 */
export class NotedInCode1763901000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION IF EXISTS admin_note_message, admin_note_rating,
        admin_note_hidden, admin_note_decision, admin_note_report,
        admin_note_poll, admin_note_job, admin_note_alert CASCADE`);
  }

  /** The initial migrations make no such triggers. */
  async down(): Promise<void> {}
}

/** Oldest first. */
export const changes = [NotedInCode1763901000000];
