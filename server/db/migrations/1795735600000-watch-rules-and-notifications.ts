import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WatchRulesAndNotifications1795735600000
  implements MigrationInterface
{
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE report DROP CONSTRAINT report_kind,
        ADD CONSTRAINT report_kind CHECK
          (kind IN ('report', 'appeal', 'selection_error', 'watch'));
      ALTER TABLE admin_event DROP CONSTRAINT admin_event_kind,
        ADD CONSTRAINT admin_event_kind CHECK
          (kind IN ('message', 'rating', 'report', 'hidden', 'decision',
            'poll', 'peer', 'job', 'alert', 'notification'));
      CREATE TABLE watch_rule (
        id uuid PRIMARY KEY,
        version integer NOT NULL,
        name text NOT NULL,
        paused boolean NOT NULL,
        rule jsonb NOT NULL,
        changed_at bigint NOT NULL,
        changed_by text NOT NULL,
        CONSTRAINT watch_rule_bounds CHECK
          (char_length(name) BETWEEN 1 AND 60 AND version > 0)
      );
      CREATE TABLE watch_rule_version (
        rule_id uuid NOT NULL,
        version integer NOT NULL,
        name text NOT NULL,
        paused boolean NOT NULL,
        rule jsonb NOT NULL,
        changed_at bigint NOT NULL,
        changed_by text NOT NULL,
        removed boolean NOT NULL DEFAULT false,
        PRIMARY KEY (rule_id, version)
      );
      CREATE TABLE notification_channel (
        id uuid PRIMARY KEY,
        operator_id uuid,
        way text NOT NULL,
        kinds text[] NOT NULL,
        url text,
        secret bytea,
        address text,
        quiet_from integer,
        quiet_to integer,
        time_zone text,
        digest_minutes integer NOT NULL,
        changed_at bigint NOT NULL,
        changed_by text NOT NULL,
        CONSTRAINT notification_channel_operator FOREIGN KEY (operator_id)
          REFERENCES operator (id),
        CONSTRAINT notification_channel_way CHECK
          (way IN ('webhook', 'email', 'browser')),
        CONSTRAINT notification_channel_place CHECK
          ((way = 'webhook') = (url IS NOT NULL)
            AND (way = 'webhook') = (secret IS NOT NULL)
            AND (way = 'email') = (address IS NOT NULL)
            AND (way <> 'browser' OR operator_id IS NOT NULL)),
        CONSTRAINT notification_channel_quiet CHECK
          ((quiet_from IS NULL) = (quiet_to IS NULL)
            AND (quiet_from IS NULL) = (time_zone IS NULL)),
        CONSTRAINT notification_channel_lengths CHECK
          (char_length(url) <= 2000 AND char_length(address) <= 254
            AND cardinality(kinds) <= 20)
      );
      CREATE INDEX notification_channel_of
        ON notification_channel (operator_id);
      CREATE TABLE notification (key text PRIMARY KEY, at bigint NOT NULL);
      CREATE INDEX notification_at ON notification (at);
      CREATE TABLE notification_delivery (
        id uuid PRIMARY KEY,
        channel_id uuid NOT NULL,
        items jsonb NOT NULL,
        total integer NOT NULL,
        test boolean NOT NULL,
        state text NOT NULL,
        attempts integer NOT NULL,
        error text,
        created_at bigint NOT NULL,
        due_at bigint NOT NULL,
        sent_at bigint,
        CONSTRAINT notification_delivery_to FOREIGN KEY (channel_id)
          REFERENCES notification_channel (id) ON DELETE CASCADE,
        CONSTRAINT notification_delivery_state CHECK
          (state IN ('waiting', 'sent', 'dead'))
      );
      CREATE INDEX notification_delivery_due ON notification_delivery (due_at)
        WHERE state = 'waiting';
      CREATE INDEX notification_delivery_channel
        ON notification_delivery (channel_id, created_at, id);
      CREATE INDEX notification_delivery_created
        ON notification_delivery (created_at);
      INSERT INTO stream (name, last_id, last_at)
        SELECT cursor, last_id, 0
        FROM stream, unnest(ARRAY['notifications', 'watched_ratings']) AS cursor
        WHERE name = 'admin_events'
        UNION ALL
        SELECT 'watched_messages', coalesce(max(id), 0), 0 FROM message`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE notification_delivery, notification, notification_channel,
        watch_rule_version, watch_rule;
      DELETE FROM stream WHERE name IN
        ('notifications', 'watched_ratings', 'watched_messages');
      DELETE FROM report WHERE kind = 'watch';
      DELETE FROM admin_event WHERE kind = 'notification';
      DELETE FROM admin_pending WHERE kind = 'notification';
      ALTER TABLE report DROP CONSTRAINT report_kind,
        ADD CONSTRAINT report_kind CHECK
          (kind IN ('report', 'appeal', 'selection_error'));
      ALTER TABLE admin_event DROP CONSTRAINT admin_event_kind,
        ADD CONSTRAINT admin_event_kind CHECK
          (kind IN ('message', 'rating', 'report', 'hidden', 'decision',
            'poll', 'peer', 'job', 'alert'))`);
  }
}
