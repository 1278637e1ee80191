import type { MigrationInterface, QueryRunner } from 'typeorm';

// A change of the schema is one more class here, or a file of its own and a line
// in `all.ts`. A released one is never changed.

/** The code notes events; triggers of release 0.1.0 would note them twice. */
export class NotedInCode1763901000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION IF EXISTS admin_note_message, admin_note_rating,
        admin_note_hidden, admin_note_decision, admin_note_report,
        admin_note_poll, admin_note_job, admin_note_alert CASCADE`);
  }

  /** The initial migrations make no such triggers. */
  async down(): Promise<void> {}
}

export class PeersNotedInCode1763901100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER admin_note_peer ON peer;
      DROP FUNCTION admin_note_peer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION admin_note_peer() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP = 'UPDATE' AND ROW(NEW.status, NEW.trust, NEW.degraded_until,
              NEW.last_error_code) IS NOT DISTINCT FROM ROW(OLD.status,
              OLD.trust, OLD.degraded_until, OLD.last_error_code)
          THEN RETURN NULL; END IF;
          INSERT INTO admin_pending (kind, payload)
            VALUES ('peer', jsonb_build_object('name',
              coalesce(NEW.name, OLD.name), 'status', NEW.status,
              'error', NEW.last_error_code));
          RETURN NULL;
        END $$;
      CREATE TRIGGER admin_note_peer
        AFTER INSERT OR DELETE OR UPDATE OF status, trust, degraded_until,
          last_error_code ON peer
        FOR EACH ROW EXECUTE FUNCTION admin_note_peer()`);
  }
}

export class WrongAnswersOfNetworks1763901200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE challenge_lock ADD network bytea, ADD expires_at bigint;
      CREATE INDEX challenge_lock_network
        ON challenge_lock (network, expires_at) WHERE network IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE challenge_lock DROP network, DROP expires_at',
    );
  }
}

export class KnownDevices1763901300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE operator_attempt_count (
        network bytea NOT NULL,
        quarter bigint NOT NULL,
        attempts smallint NOT NULL,
        PRIMARY KEY (network, quarter)
      );
      CREATE INDEX operator_attempt_count_quarter
        ON operator_attempt_count (quarter);
      CREATE TABLE operator_device (
        token_hash bytea PRIMARY KEY,
        operator_id uuid NOT NULL,
        session_id uuid NOT NULL,
        expires_at bigint NOT NULL
      );
      CREATE INDEX operator_device_operator ON operator_device (operator_id);
      CREATE INDEX operator_device_end ON operator_device (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operator_attempt_count, operator_device');
  }
}

export class ForgottenPeers1763901400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE forgotten_peer (
        origin text PRIMARY KEY,
        name text NOT NULL,
        log_vkey text NOT NULL,
        quarantine text,
        forgotten_at bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE forgotten_peer');
  }
}

export class SettledAlerts1763901500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alarm ADD settled_detail text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alarm DROP settled_detail');
  }
}

export class RemarksOnReports1763901600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE report ADD note text,
        ADD author_verified boolean NOT NULL DEFAULT false,
        DROP CONSTRAINT report_reason, ADD CONSTRAINT report_reason CHECK
          (reason IN ('spam', 'advertising', 'dangerous_instructions',
            'rating_visibility', 'privacy', 'legal', 'author_request',
            'disagreement', 'other'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE report SET reason = 'other'
        WHERE reason IN ('privacy', 'legal', 'author_request');
      ALTER TABLE report DROP note, DROP author_verified,
        DROP CONSTRAINT report_reason, ADD CONSTRAINT report_reason CHECK
          (reason IN ('spam', 'advertising', 'dangerous_instructions',
            'rating_visibility', 'disagreement', 'other'))`);
  }
}

export class LookAlikes1763901700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message ADD look_alike boolean NOT NULL DEFAULT false;
      CREATE INDEX message_signed_author ON message (author, created_at)
        WHERE agent_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX message_signed_author;
      ALTER TABLE message DROP look_alike`);
  }
}
