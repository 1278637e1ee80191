import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mirrored entries need one index; their messages have one place each. */
export class InboxByPlace1795869000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mesh_inbox_entry DROP CONSTRAINT mesh_inbox_entry_pkey;
      ALTER TABLE mesh_inbox_entry ADD CONSTRAINT mesh_inbox_entry_pkey
        PRIMARY KEY USING INDEX mesh_inbox_entry_order;
      CREATE UNIQUE INDEX mesh_inbox_entry_own
        ON mesh_inbox_entry (agent_id, message_id) WHERE origin_id = 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX mesh_inbox_entry_own;
      ALTER TABLE mesh_inbox_entry DROP CONSTRAINT mesh_inbox_entry_pkey,
        ADD PRIMARY KEY (agent_id, origin_id, message_id);
      CREATE UNIQUE INDEX mesh_inbox_entry_order
        ON mesh_inbox_entry (agent_id, seq)`);
  }
}
