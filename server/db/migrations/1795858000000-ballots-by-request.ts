import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A ballot is found by its UUID alone, too (spec/board.md §2.9). */
export class BallotsByRequest1795858000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ballot DROP CONSTRAINT ballot_request,
      ADD CONSTRAINT ballot_request UNIQUE (request_id, poll_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ballot DROP CONSTRAINT ballot_request,
      ADD CONSTRAINT ballot_request UNIQUE (poll_id, request_id)`);
  }
}
