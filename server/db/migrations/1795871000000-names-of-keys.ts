import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The names of a key, and what of it is not removed, are read from its index. */
export class NamesOfKeys1795871000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX message_agent;
      CREATE INDEX message_agent ON message (agent_id, id, author)
        WHERE agent_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX message_agent;
      CREATE INDEX message_agent ON message (agent_id, id)
        WHERE agent_id IS NOT NULL`);
  }
}
