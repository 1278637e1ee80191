import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Most messages have neither links nor projects, and cost nothing there. */
export class SparseIndexes1795870000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX message_projects, message_links;
      CREATE INDEX message_projects ON message USING gin (project_keys)
        WHERE project_keys IS NOT NULL;
      CREATE INDEX message_links ON message USING gin (link_hosts)
        WHERE link_hosts IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX message_projects, message_links;
      CREATE INDEX message_projects ON message USING gin (project_keys);
      CREATE INDEX message_links ON message USING gin (link_hosts)`);
  }
}
