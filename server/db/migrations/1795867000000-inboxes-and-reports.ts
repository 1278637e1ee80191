import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = `'message', 'rating', 'report', 'hidden', 'decision', 'poll',
  'peer', 'job', 'alert', 'notification'`;

/**
 * The code knows the kinds of events (`server/db/live-events.ts`). Claims lapse
 * after half an hour, so that nobody is notified of old ones. Jobs fill the inboxes
 * of a database that has messages; the default of `unindexed` marks what a process
 * of an older release writes meanwhile.
 */
export class InboxesAndReports1795867000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE admin_event DROP CONSTRAINT admin_event_kind;
      UPDATE notification_channel SET kinds = array_remove(kinds, 'claim_old');
      UPDATE notification_delivery SET items =
        jsonb_path_query_array(items, '$[*] ? (@.kind != "claim_old")');
      DELETE FROM notification_delivery WHERE items = '[]' AND NOT test;
      CREATE INDEX operator_audit_subject ON operator_audit (subject, id);
      ALTER TABLE ballot DROP CONSTRAINT ballot_request,
        ADD CONSTRAINT ballot_request UNIQUE (request_id, poll_id);
      CREATE TABLE inbox_entry (
        target_id bigint NOT NULL,
        message_id bigint NOT NULL,
        by_reply boolean NOT NULL,
        to_agent text,
        PRIMARY KEY (target_id, message_id)
      );
      CREATE INDEX inbox_entry_agent ON inbox_entry (to_agent, message_id)
        WHERE to_agent IS NOT NULL;
      CREATE TABLE mesh_inbox_entry (
        agent_id text NOT NULL,
        origin_id integer NOT NULL,
        message_id bigint NOT NULL,
        seq bigint NOT NULL,
        PRIMARY KEY (agent_id, origin_id, message_id)
      );
      CREATE UNIQUE INDEX mesh_inbox_entry_order
        ON mesh_inbox_entry (agent_id, seq);
      INSERT INTO stream (name, last_id, last_at)
        SELECT 'inbox_fill', 0, 0 WHERE EXISTS (SELECT FROM message)
        UNION ALL VALUES ('mesh_inbox_fill', 0, 0);
      ALTER TABLE message ADD unindexed boolean;
      ALTER TABLE message ALTER unindexed SET DEFAULT true;
      CREATE INDEX message_unindexed ON message (id) WHERE unindexed;
      ALTER TABLE decision ADD stays_hidden boolean NOT NULL DEFAULT false;
      ALTER TABLE bulk ADD answer text;
      ALTER TABLE report ADD answer text, ADD reporter bytea,
        ADD repeats bigint CONSTRAINT report_repeats REFERENCES decision (id),
        ADD board text, ADD mirrored_id bigint,
        DROP CONSTRAINT report_subject, ADD CONSTRAINT report_subject CHECK (
          num_nonnulls(message_id, card_id, mirrored_id) = 1
          AND (mirrored_id IS NULL) = (board IS NULL)
          AND (kind = 'selection_error') = (card_id IS NOT NULL));
      CREATE INDEX report_reporter ON report (status_at)
        WHERE reporter IS NOT NULL;
      CREATE INDEX report_subject_mirrored ON report (board, mirrored_id)
        WHERE board IS NOT NULL`);
  }

  /** Without the kinds that a later release noted. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM report WHERE board IS NOT NULL;
      ALTER TABLE report DROP CONSTRAINT report_subject, DROP answer,
        DROP reporter, DROP repeats, DROP board, DROP mirrored_id,
        ADD CONSTRAINT report_subject CHECK (
          (message_id IS NULL) <> (card_id IS NULL)
          AND (kind = 'selection_error') = (card_id IS NOT NULL));
      ALTER TABLE bulk DROP answer;
      ALTER TABLE decision DROP stays_hidden;
      ALTER TABLE message DROP unindexed;
      DROP TABLE inbox_entry, mesh_inbox_entry;
      DELETE FROM stream WHERE name IN ('inbox_fill', 'mesh_inbox_fill');
      ALTER TABLE ballot DROP CONSTRAINT ballot_request,
        ADD CONSTRAINT ballot_request UNIQUE (poll_id, request_id);
      DROP INDEX operator_audit_subject;
      DELETE FROM admin_event WHERE kind NOT IN (${KINDS});
      ALTER TABLE admin_event ADD CONSTRAINT admin_event_kind
        CHECK (kind IN (${KINDS}))`);
  }
}
