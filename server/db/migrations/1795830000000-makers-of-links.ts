import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links end with their maker's right. */
export class MakersOfLinks1795830000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE operator_invite ADD made_by uuid
        CONSTRAINT operator_invite_by REFERENCES operator ON DELETE CASCADE;
      UPDATE operator_invite i SET made_by = (SELECT o.id FROM operator_audit a
        LEFT JOIN operator o ON o.id = a.operator_id
        WHERE a.action = 'operator.invite' AND a.subject = 'operator:' || i.name
        ORDER BY a.id DESC LIMIT 1);
      DELETE FROM operator_invite i USING operator o
        WHERE i.name = o.name AND o.state = 'disabled'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operator_invite DROP made_by');
  }
}
