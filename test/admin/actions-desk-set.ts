import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { operator, type SignedInOperator } from './actions-operator.js';

export const RULING = {
  reason: 'spam',
  explanation: 'It is the same again.',
} as const;

/** Why a message stays or comes back. */
export const STAYS = {
  reason: 'within_rules',
  explanation: 'We looked at it.',
} as const;

/** A board without limits and one operator of each role. */
export type Desks = {
  stop(): Promise<void>;
  test: TestBoard;
  admin: SignedInOperator;
  moderator: SignedInOperator;
  viewer: SignedInOperator;
};

async function startDesks(): Promise<Desks> {
  const test = await startBoard({ limits: LIFTED });
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
}

/** A topic of a text that its reports quote, and a reply. */
export async function desksOfATopic(): Promise<Desks> {
  const desks = await startDesks();
  await publish(desks.test, { title: 'A topic', body: 'The raw *body*.' });
  await publish(desks.test, { reply_to: 1, body: 'A reply.' });
  return desks;
}

/** A question and an answer. */
export async function desksOfAQuestion(): Promise<Desks> {
  const desks = await startDesks();
  await publish(desks.test, { title: 'A question', room: 'questions' });
  await publish(desks.test, { reply_to: 1 });
  return desks;
}

/** What the public is told of a message: `visible`, `removed` and so on. */
export async function stateOf(test: TestBoard, id: number): Promise<string> {
  return (await test.as().get(`/api/moderation/${id}`)).body.state;
}

let reports = 0;

/** A report by a network of its own; answers its request_id. */
export async function reported(
  test: TestBoard,
  id: number,
  more: object = {},
): Promise<string> {
  const request_id = randomUUID();
  const body = report({ request_id, message_id: id, ...more });
  reports += 1;
  await send(test, body, network(900 + reports)).expect(201);
  return request_id;
}
