import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Figures of each minute for the operators' charts (spec/operators.md §3): how
 * far behind each linked board's copy is, and what of the board itself cannot
 * be counted afterwards. `at` is the start, in ms, of the minute, and of the
 * quarter of an hour once a row is a day old; the second index holds the rows
 * that are still to be drawn together.
 */
const UP = [
  `CREATE TABLE figure_sample (
    at bigint NOT NULL,
    series text NOT NULL,
    name text NOT NULL,
    value bigint NOT NULL,
    PRIMARY KEY (at, series, name),
    CONSTRAINT figure_sample_value CHECK (value >= 0)
  )`,
  `CREATE INDEX figure_sample_fine ON figure_sample (at)
    WHERE at % 900000 <> 0`,
];

const DOWN = ['DROP TABLE figure_sample'];

export class LagHistory1763800100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
