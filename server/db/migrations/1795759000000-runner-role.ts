import type { MigrationInterface, QueryRunner } from 'typeorm';

const FUNCTIONS = ['mirror_open', 'mirror_drop', 'mirror_analyze'];

/** Functions that act as the owner make and drop partitions. */
export class RunnerRole1795759000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Only an owner may refresh statistics. A small sample says how large a
      -- partition is.
      CREATE FUNCTION mirror_analyze(p_origin integer) RETURNS void
      LANGUAGE plpgsql SET default_statistics_target = 10 AS $$
      BEGIN
        EXECUTE format(
          'ANALYZE log_entry_%1$s, log_node_%1$s, mirror_message_%1$s',
          p_origin);
      END $$`);
    for (const name of FUNCTIONS) {
      // A fixed search_path: names resolve alike for every caller.
      await runner.query(`
        DO $$ BEGIN
          EXECUTE format('ALTER FUNCTION ${name}(integer) SECURITY DEFINER
            SET search_path = %I, pg_temp', current_schema());
        END $$;
        REVOKE EXECUTE ON FUNCTION ${name}(integer) FROM PUBLIC`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) {
      await runner.query(`
        ALTER FUNCTION ${name}(integer) SECURITY INVOKER RESET search_path;
        GRANT EXECUTE ON FUNCTION ${name}(integer) TO PUBLIC`);
    }
    await runner.query('DROP FUNCTION mirror_analyze');
  }
}
