import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which generation of the own log holds a decision's entry (spec/mesh.md §B1):
 * each log counts its indexes from 0.
 */
const UP = [
  'ALTER TABLE decision ADD COLUMN generation integer NOT NULL DEFAULT 1',
  'ALTER TABLE decision DROP CONSTRAINT decision_log_index',
  `ALTER TABLE decision ADD CONSTRAINT decision_log_index
     UNIQUE (generation, log_index)`,
];

const DOWN = [
  'ALTER TABLE decision DROP CONSTRAINT decision_log_index',
  `ALTER TABLE decision ADD CONSTRAINT decision_log_index
     UNIQUE (log_index)`,
  'ALTER TABLE decision DROP COLUMN generation',
];

export class DecisionGeneration1763700700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
