import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators passed on to boards of mirrored messages. */
export class PassedReports1795865000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE passed_report (
        request_id uuid PRIMARY KEY,
        board text NOT NULL,
        mirrored_id bigint NOT NULL,
        reason text NOT NULL,
        operator text NOT NULL,
        passed_at bigint NOT NULL,
        status text NOT NULL DEFAULT 'received',
        answer text,
        asked_at bigint NOT NULL,
        CONSTRAINT passed_report_reason CHECK (reason IN ('spam',
          'advertising', 'dangerous_instructions', 'rating_visibility',
          'privacy', 'legal', 'author_request', 'disagreement', 'other')),
        CONSTRAINT passed_report_status CHECK
          (status IN ('received', 'in_review', 'resolved', 'dismissed')),
        CONSTRAINT passed_report_lengths CHECK (char_length(answer) <= 500)
      );
      CREATE INDEX passed_report_subject ON passed_report (board, mirrored_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE passed_report');
  }
}
