import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the node found out about itself or its peers and an operator has to
 * look at. One row per subject of a kind: it is raised again, not repeated.
 */
const UP = [
  `CREATE TABLE alarm (
    kind text NOT NULL,
    subject text NOT NULL,
    detail text NOT NULL,
    raised_at bigint NOT NULL,
    last_at bigint NOT NULL,
    times bigint NOT NULL DEFAULT 1,
    cleared_at bigint,
    PRIMARY KEY (kind, subject),
    CONSTRAINT alarm_kind CHECK (kind ~ '^[a-z_]{1,40}$'),
    CONSTRAINT alarm_lengths CHECK
      (char_length(subject) BETWEEN 1 AND 200
       AND char_length(detail) BETWEEN 1 AND 2000)
  )`,
  'CREATE INDEX alarm_open ON alarm (last_at) WHERE cleared_at IS NULL',
];

export class Witness1763700450000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE alarm');
  }
}
