import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Today's counts can be told as of the last full hour. */
export class CountedDays1795855000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE session_day ADD hour smallint NOT NULL DEFAULT 0,
        ADD former smallint NOT NULL DEFAULT 0;
      CREATE TABLE reader_total (
        day text PRIMARY KEY,
        visitors bigint NOT NULL DEFAULT 0,
        visit bigint NOT NULL DEFAULT 0,
        selection_open bigint NOT NULL DEFAULT 0,
        source_open bigint NOT NULL DEFAULT 0,
        hour smallint NOT NULL DEFAULT 0,
        former bigint NOT NULL DEFAULT 0
      );
      INSERT INTO reader_total (day, visitors, visit, selection_open,
        source_open)
      SELECT day, count(DISTINCT visitor),
        coalesce(sum(total) FILTER (WHERE event = 'visit'), 0),
        coalesce(sum(total) FILTER (WHERE event = 'selection_open'), 0),
        coalesce(sum(total) FILTER (WHERE event = 'source_open'), 0)
      FROM reader_event GROUP BY day`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE reader_total;
      ALTER TABLE session_day DROP hour, DROP former`);
  }
}
