import { createHash } from 'node:crypto';
import type { Test } from 'supertest';
import type { Role } from '../../server/dashboard/actions.js';
import type {
  CommandInput,
  CommandName,
} from '../../server/dashboard/schemas/commands.js';
import { BASE_URL, type TestBoard } from '../support/board.js';
import { randomBytes, randomUUID } from '../support/random.js';

export const COOKIE = 'reserve-operator';

/** A signed-in operator and what he asks with. */
export type SignedInOperator = {
  id: string;
  alias: string;
  sessionId: string;
  cookie: string;
  /** One command over HTTP. */
  ask<N extends CommandName>(name: N, input: CommandInput<N>): Test;
};

/**
 * An account and an open session of its own, written as a sign-in leaves them:
 * the ways to sign in have tests of their own.
 */
export async function operator(
  test: TestBoard,
  role: Role,
  alias: string = `${role} ${randomBytes(6).toString('hex')}`,
): Promise<SignedInOperator> {
  const { writes } = test.board.context;
  const now = test.clock.now();
  const [id, sessionId] = [randomUUID(), randomUUID()];
  const name = `op-${randomBytes(6).toString('hex')}`;
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest();
  await writes.query(
    `INSERT INTO operator (id, name, alias, role, state, created_at)
     VALUES ($1, $2, $3, $4, 'active', $5)`,
    [id, name, alias, role, now],
  );
  await writes.query(
    `INSERT INTO operator_session (id, token_hash, operator_id, label, method,
       created_at, seen_at, expires_at, credential_at)
     VALUES ($1, $2, $3, 'a test', 'passkey', $4, $4, $5, $4)`,
    [sessionId, hash, id, now, now + 7 * 86_400_000],
  );
  const cookie = `${COOKIE}=${token}`;
  return {
    id,
    alias,
    sessionId,
    cookie,
    ask: (command, input) =>
      test
        .as()
        .post(`/admin/api/do/${command}`)
        .set('Cookie', cookie)
        .set('Origin', BASE_URL)
        .send(input as object),
  };
}

/** The answer of a command that has to succeed. */
export async function done<T = Record<string, unknown>>(
  asked: Test,
): Promise<T> {
  const answer = await asked;
  if (answer.status !== 200) {
    throw new Error(`${answer.status} ${answer.text}`);
  }
  return answer.body as T;
}
