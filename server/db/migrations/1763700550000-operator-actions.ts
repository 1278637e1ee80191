import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the operators' work needs besides accounts: templates, the queue's
 * indexes, and the events of dashboards.
 *
 * Triggers note what happened in the transaction in which it happens, without
 * any order; one process at a time numbers what is committed (spec/operators.md
 * §4). So nothing is lost, nothing is told twice, and no write waits for a
 * counter. A note holds ids and figures, never a text: it would outlive a
 * removal.
 */
const TABLES = [
  `CREATE TABLE admin_pending (
    kind text NOT NULL,
    payload jsonb NOT NULL
  )`,
  `CREATE TABLE decision_template (
    name text PRIMARY KEY,
    action text NOT NULL,
    reason text NOT NULL,
    explanation text NOT NULL,
    updated_at bigint NOT NULL,
    updated_by text NOT NULL,
    CONSTRAINT decision_template_lengths CHECK
      (char_length(name) BETWEEN 1 AND 60
       AND char_length(explanation) BETWEEN 1 AND 2000)
  )`,
  `CREATE INDEX report_open ON report (created_at)
    WHERE status IN ('received', 'in_review')`,
  'CREATE INDEX report_subject_card ON report (card_id) WHERE card_id IS NOT NULL',
  'CREATE INDEX decision_of_poll ON decision (poll_id) WHERE poll_id IS NOT NULL',
];

/**
 * What the foreign keys of `message` leave open to whoever writes SQL by hand
 * (spec/operators.md §2.1): a text changed where it stands, a message deleted,
 * a topic hidden as if by ratings that nobody gave, a decision used a second
 * time.
 */
const NOTHING_SILENT = [
  `CREATE FUNCTION message_stays() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a message is removed by a decision only'
        USING ERRCODE = 'check_violation';
    END $$`,
  `CREATE TRIGGER message_stays BEFORE DELETE ON message
    FOR EACH ROW EXECUTE FUNCTION message_stays()`,
  `CREATE TRIGGER message_stays_whole BEFORE TRUNCATE ON message
    FOR EACH STATEMENT EXECUTE FUNCTION message_stays()`,
  `CREATE TRIGGER message_text_stays
    BEFORE UPDATE OF body, title, author, salt, created_at, agent_id,
      message_hash ON message FOR EACH ROW
    WHEN (NEW.created_at <> OLD.created_at
      OR NEW.agent_id IS DISTINCT FROM OLD.agent_id
      OR NEW.message_hash <> OLD.message_hash
      OR ((NEW.removed_at IS NULL) = (OLD.removed_at IS NULL)
        AND (NEW.body, NEW.title, NEW.author, NEW.salt)
          IS DISTINCT FROM (OLD.body, OLD.title, OLD.author, OLD.salt)))
    EXECUTE FUNCTION message_stays()`,
  `CREATE TRIGGER message_hidden_by_votes BEFORE UPDATE OF visibility
    ON message FOR EACH ROW
    WHEN (NEW.visibility = 'hidden_by_ratings'
      AND OLD.visibility <> 'hidden_by_ratings'
      AND (OLD.visibility = 'restored_by_decision' OR NEW.score >= 0))
    EXECUTE FUNCTION message_stays()`,
  `CREATE FUNCTION decision_is_new() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.visibility_by < OLD.visibility_by OR EXISTS (
          SELECT FROM decision d WHERE d.message_id = NEW.id
            AND d.action = 'reinstate' AND OLD.removed_by IS NULL
            AND d.id > NEW.removed_by) THEN
        RAISE EXCEPTION 'a decision takes effect once'
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER decision_is_new
    BEFORE UPDATE OF visibility_by, removed_by ON message FOR EACH ROW
    WHEN (NEW.visibility_by <> OLD.visibility_by
      OR (OLD.removed_by IS NULL AND NEW.removed_by IS NOT NULL))
    EXECUTE FUNCTION decision_is_new()`,
];

type Note = {
  name: string;
  table: string;
  when: string;
  kind: string;
  payload: string;
  /** Of an UPDATE: true when nothing that matters has changed. */
  unless?: string;
};

const NOTES: readonly Note[] = [
  {
    name: 'admin_note_message',
    table: 'message',
    when: 'INSERT',
    kind: 'message',
    payload: `'message_id', NEW.id, 'root_id', NEW.root_id, 'room', NEW.room`,
  },
  {
    name: 'admin_note_rating',
    table: 'message',
    when: 'UPDATE OF score',
    kind: 'rating',
    payload: `'message_id', NEW.id, 'root_id', NEW.root_id, 'score', NEW.score`,
  },
  {
    name: 'admin_note_hidden',
    table: 'message',
    when: 'UPDATE OF visibility',
    kind: 'hidden',
    payload: `'message_id', NEW.id, 'visibility', NEW.visibility`,
  },
  {
    name: 'admin_note_decision',
    table: 'decision',
    when: 'INSERT',
    kind: 'decision',
    payload: `'decision_id', NEW.id, 'message_id', NEW.message_id,
      'poll_id', NEW.poll_id, 'action', NEW.action, 'reason', NEW.reason,
      'operator', NEW.operator`,
  },
  {
    name: 'admin_note_report',
    table: 'report',
    when: 'INSERT OR UPDATE OF status, claimed_by',
    kind: 'report',
    payload: `'subject', CASE WHEN NEW.message_id IS NULL
        THEN 'card:' || NEW.card_id ELSE 'message:' || NEW.message_id END,
      'report_id', NEW.request_id, 'report_kind', NEW.kind,
      'status', NEW.status, 'claimed_by', NEW.claimed_by`,
  },
  {
    name: 'admin_note_poll',
    table: 'poll_event',
    when: 'INSERT',
    kind: 'poll',
    payload: `'poll_id', NEW.poll_id, 'event_id', NEW.id, 'event', NEW.kind`,
  },
  {
    name: 'admin_note_job',
    table: 'job_run',
    when: 'INSERT OR UPDATE',
    kind: 'job',
    payload: `'name', NEW.name, 'started_at', NEW.started_at,
      'duration_ms', NEW.duration_ms, 'rows', NEW.rows, 'error', NEW.error`,
  },
  {
    name: 'admin_note_alert',
    table: 'alarm',
    when: 'INSERT OR UPDATE OF detail, cleared_at',
    unless: `NEW.detail = OLD.detail
        AND (NEW.cleared_at IS NULL) = (OLD.cleared_at IS NULL)`,
    kind: 'alert',
    payload: `'name', NEW.kind, 'subject', NEW.subject, 'detail', NEW.detail,
      'open', NEW.cleared_at IS NULL`,
  },
  {
    name: 'admin_note_peer',
    table: 'peer',
    when: `INSERT OR DELETE OR UPDATE OF status, trust, degraded_until,
      last_error_code`,
    unless: `ROW(NEW.status, NEW.trust, NEW.degraded_until,
        NEW.last_error_code) IS NOT DISTINCT FROM ROW(OLD.status, OLD.trust,
        OLD.degraded_until, OLD.last_error_code)`,
    kind: 'peer',
    payload: `'name', coalesce(NEW.name, OLD.name), 'status', NEW.status,
      'error', NEW.last_error_code`,
  },
];

/** An update counts only if it changed one of the columns that it names. */
function changed({ when }: Note): string {
  const named = /^UPDATE OF (\w+)$/.exec(when)?.[1];
  return named === undefined
    ? ''
    : `WHEN (NEW.${named} IS DISTINCT FROM OLD.${named})`;
}

function noted(note: Note): string[] {
  const { name, table, when, kind, payload, unless } = note;
  const skip =
    unless === undefined
      ? ''
      : `IF TG_OP = 'UPDATE' AND ${unless} THEN RETURN NULL; END IF;`;
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${skip}
        INSERT INTO admin_pending (kind, payload)
          VALUES ('${kind}', jsonb_build_object(${payload}));
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER ${name} AFTER ${when} ON ${table}
      FOR EACH ROW ${changed(note)} EXECUTE FUNCTION ${name}()`,
  ];
}

const DOWN = [
  'DROP TRIGGER decision_is_new ON message',
  'DROP FUNCTION decision_is_new()',
  'DROP TRIGGER message_hidden_by_votes ON message',
  'DROP TRIGGER message_text_stays ON message',
  'DROP TRIGGER message_stays_whole ON message',
  'DROP TRIGGER message_stays ON message',
  'DROP FUNCTION message_stays()',
  ...NOTES.flatMap(({ name, table }) => [
    `DROP TRIGGER ${name} ON ${table}`,
    `DROP FUNCTION ${name}()`,
  ]),
  'DROP INDEX decision_of_poll',
  'DROP INDEX report_subject_card',
  'DROP INDEX report_open',
  'DROP TABLE decision_template',
  'DROP TABLE admin_pending',
];

export class OperatorActions1763700550000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...TABLES,
      ...NOTHING_SILENT,
      ...NOTES.flatMap(noted),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
