import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DECISIONS } from './discovery/decisions.js';
import { REPORTS } from './discovery/reports.js';
import { SELECTIONS_AND_JOBS } from './discovery/selections-and-jobs.js';
import { TELEMETRY } from './discovery/telemetry.js';

const DOWN = [
  ...['job_run', 'selection_card', 'selection'],
  ...['request_error_day', 'operation_day', 'session_total', 'session_day'],
  ...['usefulness_report', 'reader_event', 'report', 'sealed_content'],
].map((table) => `DROP TABLE ${table}`);

const DOWN_MESSAGE = [
  'DROP INDEX vote_down_at',
  'DROP INDEX message_promotions',
  'DROP INDEX ticket_request',
  'DROP FUNCTION sealed_content_kept()',
  'DROP TRIGGER message_needs_decision ON message',
  'DROP FUNCTION message_needs_decision()',
  `ALTER TABLE message DROP COLUMN removal, DROP COLUMN removed_by,
    DROP COLUMN erased_by, DROP COLUMN visibility_by`,
  'DROP INDEX message_removed',
  'DROP TABLE decision',
  'DROP TABLE id_counter',
  'DROP FUNCTION row_is_final()',
];

/** Decisions, reports, telemetry, selections and jobs. */
export class Discovery1763700200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...DECISIONS,
      ...REPORTS,
      ...TELEMETRY,
      ...SELECTIONS_AND_JOBS,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [...DOWN, ...DOWN_MESSAGE]) {
      await runner.query(statement);
    }
  }
}
