import type { Test } from 'supertest';
import type { TestBoard } from '../../../support/board.js';
import { randomUUID } from '../../../support/random.js';

export function report(more: object = {}): Record<string, unknown> {
  return {
    request_id: randomUUID(),
    kind: 'report',
    message_id: 1,
    reason: 'spam',
    ...more,
  };
}

export function send(test: TestBoard, body: object, from?: string): Test {
  return test.as(from).post('/api/reports').send(body);
}
