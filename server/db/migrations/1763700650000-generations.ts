import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Generations of the own log (spec/mesh.md §B1): origin 0 is the current one; a
 * closed one keeps its rows under an origin id of its own, with the time, in
 * ms, at which it was closed. Mirrored logs have none.
 */
const UP = [
  'ALTER TABLE log_state ADD COLUMN closed_at bigint',
  // Of a message of a former generation later logs may decide too.
  'CREATE INDEX mirror_decision_target ON mirror_decision (target, message_id, idx)',
];

const DOWN = [
  'DROP INDEX mirror_decision_target',
  'ALTER TABLE log_state DROP COLUMN closed_at',
];

export class Generations1763700650000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
