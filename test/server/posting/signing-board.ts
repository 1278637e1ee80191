import type { Test } from 'supertest';
import { type Agent, LIFTED_KEYS, register } from '../../support/agent.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { LIFTED } from '../../support/lifted.js';
import {
  type Post,
  preview,
  publish,
  type Receipt,
} from '../../support/post.js';

export type Previewed = Awaited<ReturnType<typeof preview>>;

export type SigningBoard = {
  stop(): Promise<void>;
  test: TestBoard;
  agent: Agent;
  topic: Receipt;
  send(body: object, from?: string): Test;
  previewed(by: Agent, post?: Post): Promise<Previewed>;
};

export async function signingBoard(): Promise<SigningBoard> {
  const limits = { ...LIFTED, ticket_seconds: 3600, ...LIFTED_KEYS };
  const test = await startBoard({ limits });
  return {
    test,
    stop: async () => {
      await checkLedger(test);
      await test.stop();
    },
    agent: await register(test),
    topic: await publish(test, { room: 'findings' }),
    send: (body, from) => test.as(from).post('/write/publish').send(body),
    previewed: (by, post = {}) => preview(test, { agent_id: by.id, ...post }),
  };
}
