import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The keys of texts live in their index alone: it is one of an expression, and
 * a row no longer carries what four times its text weighs. Keys are those of
 * `server/text/triples.ts`, of both texts, each with more behind it, so that
 * its last pair begins a triple, too.
 *
 * A row whose `grams` are not null is an old one: it is found by those, and the
 * sweeper makes it a new one in its own time.
 */
const UP = [
  `CREATE FUNCTION search_grams(title text, body text) RETURNS integer[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    DECLARE
      c text[] := string_to_array(translate(body || E' \x01'
        || coalesce(title || E' \x01', ''), E'\t\n\r', '   '), NULL);
    BEGIN
      RETURN ARRAY(SELECT ((ascii(x) & 32767) << 17) # (ascii(y) << 7)
          # CASE WHEN x = ' ' OR y = ' ' THEN 0 ELSE ascii(z) & 127 END
        FROM unnest(c, c[2:], c[3:]) AS u (x, y, z) WHERE z IS NOT NULL);
    END $$`,
  'ALTER TABLE message_search ALTER grams DROP NOT NULL',
  'CREATE INDEX message_search_old ON message_search (message_id) WHERE grams IS NOT NULL',
  `CREATE INDEX message_search_triples ON message_search
    USING gin (search_grams(title_fold, body_fold)) WHERE grams IS NULL`,
  // To analyse it, all the keys would be made again; the plan is always the same.
  'ALTER INDEX message_search_triples ALTER COLUMN 1 SET STATISTICS 0',
];

const DOWN = [
  'DROP INDEX message_search_triples',
  'DROP INDEX message_search_old',
  // Found by who looks through the newest; the keys cannot be made here.
  "UPDATE message_search SET grams = '{}' WHERE grams IS NULL",
  'ALTER TABLE message_search ALTER grams SET NOT NULL',
  'DROP FUNCTION search_grams(text, text)',
];

export class SearchGrams1763800200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
