import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells an operator's own hiding from one that leaves a topic as it is. */
export class StaysHidden1795860000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE decision ADD stays_hidden boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE decision DROP stays_hidden');
  }
}
