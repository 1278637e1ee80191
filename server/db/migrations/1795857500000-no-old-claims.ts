import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Claims lapse after half an hour, so that nobody is notified of old ones. */
export class NoOldClaims1795857500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE notification_channel SET kinds = array_remove(kinds, 'claim_old');
      UPDATE notification_delivery SET items =
        jsonb_path_query_array(items, '$[*] ? (@.kind != "claim_old")');
      DELETE FROM notification_delivery WHERE items = '[]' AND NOT test`);
  }

  async down(): Promise<void> {}
}
