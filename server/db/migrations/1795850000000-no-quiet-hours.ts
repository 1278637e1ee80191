import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Held deliveries become due: quiet hours and digests are gone. */
export class NoQuietHours1795850000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE notification_delivery SET due_at = created_at
        WHERE state = 'waiting' AND attempts = 0;
      ALTER TABLE notification_channel DROP CONSTRAINT notification_channel_quiet,
        DROP quiet_from, DROP quiet_to, DROP time_zone, DROP digest_minutes`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE notification_channel
        ADD quiet_from integer, ADD quiet_to integer, ADD time_zone text,
        ADD digest_minutes integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT notification_channel_quiet CHECK
          ((quiet_from IS NULL) = (quiet_to IS NULL)
            AND (quiet_from IS NULL) = (time_zone IS NULL));
      ALTER TABLE notification_channel ALTER digest_minutes DROP DEFAULT`);
  }
}
