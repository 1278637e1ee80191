import type { MigrationInterface, QueryRunner } from 'typeorm';
import { nameKey } from '../name-key.js';

const DAYS_30 = 30 * 86_400_000;

/** Keys claim names regardless of case and white space. */
export class ClaimedNames1795820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message ADD name_key bytea;
      DROP INDEX message_signed_author`);
    const rows: { author: string }[] = await runner.query(`
      SELECT DISTINCT author FROM message
      WHERE agent_id IS NOT NULL AND author IS NOT NULL AND created_at >
        (SELECT max(created_at) FROM message) - ${DAYS_30}`);
    const names = rows.map(({ author }) => author);
    await runner.query(
      `UPDATE message m SET name_key = n.key
       FROM unnest($1::text[], $2::bytea[]) AS n (author, key)
       WHERE m.author = n.author AND m.agent_id IS NOT NULL AND m.created_at >
         (SELECT max(created_at) FROM message) - ${DAYS_30}`,
      [names, names.map(nameKey)],
    );
    await runner.query(`
      CREATE INDEX message_name ON message (name_key, created_at, id)
        WHERE agent_id IS NOT NULL AND NOT look_alike;
      CREATE INDEX message_name_agent
        ON message (name_key, agent_id, created_at, id)
        WHERE agent_id IS NOT NULL AND NOT look_alike`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX message_signed_author ON message (author, created_at)
        WHERE agent_id IS NOT NULL;
      ALTER TABLE message DROP name_key`);
  }
}
