import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The level that a peer states is known before its next document comes. */
export class LevelsOfPeers1795856000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE peer ADD level integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE peer DROP level');
  }
}
