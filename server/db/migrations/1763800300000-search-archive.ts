import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys of texts that are not among the newest, by segments of 4,096 messages:
 * a hundredth of the rows, and of what a publication writes nothing. A job
 * archives segment after segment from `message_search`, whose rows of them go.
 */
const UP = [
  `CREATE TABLE search_archive (
    id integer PRIMARY KEY,
    -- Segments from 0 that are archived; those missing are made again.
    segments integer NOT NULL,
    missing integer[] NOT NULL,
    -- Raised whenever a text comes or goes that was published before.
    changes bigint NOT NULL,
    CONSTRAINT search_archive_one CHECK (id = 1)
  )`,
  "INSERT INTO search_archive (id, segments, missing, changes) VALUES (1, 0, '{}', 0)",
  // `data` as server/search/ngram-index/slice.ts says.
  `CREATE TABLE search_slice (
    segment integer NOT NULL,
    slice integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (segment, slice)
  )`,
];

const DOWN = [
  // Found by who looks through the newest; texts cannot be folded here.
  `INSERT INTO message_search (message_id, title_fold, body_fold, grams)
   SELECT id, lower(title), lower(body), '{}' FROM message
   WHERE removed_at IS NULL
   ON CONFLICT (message_id) DO NOTHING`,
  'DROP TABLE search_slice',
  'DROP TABLE search_archive',
];

export class SearchArchive1763800300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
