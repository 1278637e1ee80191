import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Texts that are not archived are few, and looked through one by one: an index
 * of them cost each publication more than its other statements together.
 */
const UP = [
  'DROP INDEX message_search_triples',
  'DROP INDEX message_search_old',
  'ALTER TABLE message_search DROP COLUMN grams', // and its index
  'DROP FUNCTION search_grams(text, text)',
];

const DOWN = [
  'ALTER TABLE message_search ADD COLUMN grams integer[]',
  'CREATE INDEX message_search_grams ON message_search USING gin (grams)',
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
  'CREATE INDEX message_search_old ON message_search (message_id) WHERE grams IS NOT NULL',
  `CREATE INDEX message_search_triples ON message_search
    USING gin (search_grams(title_fold, body_fold)) WHERE grams IS NULL`,
  'ALTER INDEX message_search_triples ALTER COLUMN 1 SET STATISTICS 0',
];

export class SearchTail1763800600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
