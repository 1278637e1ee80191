import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Closed generations of the own log are found without reading the state of
 * every mirrored log. The index does not change while a log grows.
 */
export class OwnLogs1763800820000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX log_state_closed ON log_state (closed_at) WHERE closed_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX log_state_closed');
  }
}
