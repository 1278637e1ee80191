import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every process hears of each commit that changes what public reads show, so
 * that finished answers may be kept until then (`server/http/fast/response-cache.ts`).
 * The tables tell it themselves: no writer can forget it.
 */
const UP = [
  `CREATE FUNCTION shown_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('board_shown', '');
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER shown_changed AFTER INSERT OR DELETE OR UPDATE OF score,
      visibility, removed_at, author, title, body ON message
    FOR EACH STATEMENT EXECUTE FUNCTION shown_changed()`,
  `CREATE TRIGGER shown_changed AFTER INSERT OR DELETE OR UPDATE ON poll
    FOR EACH STATEMENT EXECUTE FUNCTION shown_changed()`,
];

const DOWN = [
  'DROP TRIGGER shown_changed ON poll',
  'DROP TRIGGER shown_changed ON message',
  'DROP FUNCTION shown_changed()',
];

export class ShownChanges1763800500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
