/** Reports, what readers opened, and what is published about both. */
export const REPORTS = [
  `CREATE TABLE report (
    request_id uuid PRIMARY KEY,
    content_hash bytea NOT NULL,
    kind text NOT NULL,
    reason text NOT NULL,
    detail text,
    message_id bigint,
    card_id text,
    created_at bigint NOT NULL,
    status text NOT NULL DEFAULT 'received',
    status_at bigint NOT NULL,
    claimed_by text,
    decision_id bigint,
    CONSTRAINT report_message FOREIGN KEY (message_id)
      REFERENCES message (id),
    CONSTRAINT report_decision FOREIGN KEY (decision_id)
      REFERENCES decision (id),
    CONSTRAINT report_kind CHECK
      (kind IN ('report', 'appeal', 'selection_error')),
    CONSTRAINT report_reason CHECK (reason IN
      ('spam', 'advertising', 'dangerous_instructions', 'rating_visibility',
       'disagreement', 'other')),
    CONSTRAINT report_status CHECK
      (status IN ('received', 'in_review', 'resolved', 'dismissed')),
    CONSTRAINT report_subject CHECK
      ((message_id IS NULL) <> (card_id IS NULL)
       AND (kind = 'selection_error') = (card_id IS NOT NULL)),
    CONSTRAINT report_lengths CHECK (octet_length(detail) <= 65536)
  )`,
  'CREATE INDEX report_queue ON report (status, created_at)',
  'CREATE INDEX report_subject_message ON report (message_id)',
  // A visitor is a hash under the day's key: nothing links two days.
  `CREATE TABLE reader_event (
    day text NOT NULL,
    visitor bytea NOT NULL,
    event text NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (day, visitor, event),
    CONSTRAINT reader_event_name CHECK
      (event IN ('visit', 'selection_open', 'source_open'))
  )`,
  `CREATE TABLE usefulness_report (
    id bigint PRIMARY KEY,
    period_start bigint NOT NULL,
    period_end bigint NOT NULL,
    metrics jsonb NOT NULL,
    note text NOT NULL,
    operator text NOT NULL,
    created_at bigint NOT NULL,
    published_at bigint,
    CONSTRAINT usefulness_report_period CHECK (period_start < period_end)
  )`,
  `CREATE TRIGGER usefulness_report_is_final
    BEFORE UPDATE OR DELETE ON usefulness_report FOR EACH ROW
    WHEN (OLD.published_at IS NOT NULL) EXECUTE FUNCTION row_is_final()`,
];
