import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MIRRORS } from './mesh/mirrors.js';
import { PEERS } from './mesh/peers.js';

/** Mirrored logs go first: their partitions hang on tables that stay. */
const DOWN = [
  'SELECT mirror_drop(origin_id) FROM log_state WHERE origin_id > 0',
  'DROP FUNCTION mirror_drop(integer)',
  'DROP FUNCTION mirror_open(integer)',
  "DELETE FROM stream WHERE name = 'mirror_updates'",
  ...[
    'mirror_update',
    'mirror_search',
    'mirror_decision',
    'mirror_message',
    'peer_usage',
    'evidence',
    'log_cosignature',
    'mirror_state',
    'peer',
  ].map((table) => `DROP TABLE ${table}`),
  'DROP FUNCTION mirror_state_grows()',
  'DROP FUNCTION peer_changed()',
  'DROP INDEX log_entry_invalid',
  'ALTER TABLE log_entry DROP COLUMN fault',
];

/**
 * Peers and their mirrored logs (spec/mesh.md §B7 to §B11). `log_state`,
 * `log_entry`,
 * `log_node`, `log_checkpoint` and the key tables hold mirrored logs beside
 * the own one, under the peer's `origin_id`. Nothing foreign stands in a table
 * of the local board.
 */
export class Mesh1763700400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...PEERS, ...MIRRORS]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
