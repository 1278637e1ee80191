import type { Test } from 'supertest';
import type {
  CommandInput,
  CommandName,
} from '../../server/dashboard/all-commands.js';
import type { Role } from '../../server/dashboard/roles.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import {
  BASE_URL,
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { given } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { freshNetwork, randomBytes, randomUUID } from '../support/random.js';
import { device } from './access-link.js';

export const RULING = {
  reason: 'spam',
  explanation: 'It is the same again.',
} as const;

export const STAYS = {
  reason: 'within_rules',
  explanation: 'We looked at it.',
} as const;

export type SignedInOperator = {
  id: string;
  alias: string;
  sessionId: string;
  cookie: string;
  ask<N extends CommandName>(name: N, input: CommandInput<N>): Test;
};

export async function operator(
  test: TestBoard,
  role: Role,
  alias: string = `${role} ${randomBytes(6).toString('hex')}`,
): Promise<SignedInOperator> {
  const name = `op-${randomBytes(6).toString('hex')}`;
  const browser = await device(test, role, name, alias);
  const { operatorId: id, sessionId } = browser;
  const cookie = browser.cookie ?? '';
  const ask: SignedInOperator['ask'] = (command, input) =>
    test
      .as()
      .post(`/admin/api/do/${command}`)
      .set('Cookie', cookie)
      .set('Origin', BASE_URL)
      .send(input as object);
  return { id, alias, sessionId, cookie, ask };
}

export function givenOperators(options: TestBoardOptions = {}) {
  return given(async () => {
    const test = await startBoard({ lifted: true, ...options });
    await publish(test, { title: 'A topic', body: 'The raw *body*.' });
    await publish(test, { reply_to: 1, body: 'A reply.' });
    return {
      test,
      admin: await operator(test, 'admin', 'Ada'),
      moderator: await operator(test, 'moderator', 'Mo'),
      viewer: await operator(test, 'viewer', 'Vi'),
      stop: async () => {
        await checkLedger(test);
        await test.stop();
      },
    };
  });
}

export async function done<T = Record<string, unknown>>(
  asked: Test,
): Promise<T> {
  const answer = await asked;
  if (answer.status !== 200) {
    throw new Error(`${answer.status} ${answer.text}`);
  }
  return answer.body as T;
}

/** What the public is told of a message: `visible`, `removed` and so on. */
export async function stateOf(test: TestBoard, id: number): Promise<string> {
  return (await test.as().get(`/api/moderation/${id}`)).body.state;
}

/** A report by a network of its own; answers its request_id. */
export async function reported(
  test: TestBoard,
  id: number,
  more: object = {},
): Promise<string> {
  const request_id = randomUUID();
  const body = report({ request_id, message_id: id, ...more });
  await send(test, body, freshNetwork()).expect(201);
  return request_id;
}
