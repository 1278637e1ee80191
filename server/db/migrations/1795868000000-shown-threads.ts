import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Says which thread changed, so that kept answers of others stay. A removal
 * shows anywhere: its message is no reference any more.
 */
export class ShownThreads1795868000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION thread_changed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_notify('board_shown', CASE
            WHEN TG_OP = 'UPDATE' AND NEW.removed_at IS DISTINCT FROM
              OLD.removed_at THEN '' ELSE NEW.root_id::text END);
          RETURN NULL;
        END $$;
      DROP TRIGGER shown_changed ON message;
      CREATE TRIGGER shown_changed AFTER DELETE ON message
        FOR EACH STATEMENT EXECUTE FUNCTION shown_changed();
      CREATE TRIGGER thread_changed AFTER INSERT OR UPDATE OF score,
          visibility, removed_at, author, title, body ON message
        FOR EACH ROW EXECUTE FUNCTION thread_changed()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION thread_changed CASCADE;
      DROP TRIGGER shown_changed ON message;
      CREATE TRIGGER shown_changed AFTER INSERT OR DELETE OR UPDATE OF score,
          visibility, removed_at, author, title, body ON message
        FOR EACH STATEMENT EXECUTE FUNCTION shown_changed()`);
  }
}
