import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * No row links two posts of a network: counter names of new tickets are sealed,
 * and relayed posts keep no network tag once they arrived.
 */
export class SealedCounters1795840000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ticket ADD sealed_counters bytea,
        ALTER net_prev DROP NOT NULL, ALTER net_day DROP NOT NULL,
        ALTER net_next DROP NOT NULL;
      UPDATE relay_outbox SET tag = decode(repeat('00', 16), 'hex'),
        tag_next = decode(repeat('00', 16), 'hex'),
        spent_scopes = '{}', spent_keys = '{}'
      WHERE state <> 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM ticket WHERE net_day IS NULL;
      ALTER TABLE ticket DROP sealed_counters,
        ALTER net_prev SET NOT NULL, ALTER net_day SET NOT NULL,
        ALTER net_next SET NOT NULL`);
  }
}
