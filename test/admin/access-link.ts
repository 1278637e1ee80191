import {
  createInvite,
  firstOperatorLink,
} from '../../server/dashboard/auth/invites.js';
import type { Role } from '../../server/dashboard/roles.js';
import {
  cookieName,
  openSession,
} from '../../server/dashboard/session-store.js';
import { Operator } from '../../server/db/entities/operator.js';
import type { TestBoard } from '../support/board.js';
import { randomUUID } from '../support/random.js';
import { Browser, codeIn, type SetUp, setUp } from './access-browser.js';

export async function firstLink({ board }: TestBoard): Promise<string> {
  const link = await firstOperatorLink(board.context, 8080);
  if (link === null) throw new Error('there is an operator already');
  return link;
}

export async function inviteCode(
  { board, clock }: TestBoard,
  name: string,
  role: Role,
): Promise<string> {
  return await board.context.writes.transaction((tx) =>
    createInvite(tx, { name, role, madeBy: null }, clock.now()),
  );
}

export async function firstAdmin(test: TestBoard): Promise<SetUp> {
  const code = codeIn(await firstLink(test));
  return await setUp(new Browser(test), code, { name: 'root' });
}

export async function operator(
  test: TestBoard,
  name: string,
  role: Role,
): Promise<SetUp> {
  const code = await inviteCode(test, name, role);
  return await setUp(new Browser(test), code);
}

/** A new operator's open session, by the store itself, which is quick. */
export async function device(
  test: TestBoard,
  role: Role,
  name: string = `${role}-${randomUUID().slice(0, 8)}`,
  alias: string = name,
): Promise<Browser & { operatorId: string; sessionId: string }> {
  const { context } = test.board;
  const account = { id: randomUUID(), name, alias, role };
  const now = test.clock.now();
  const opened = await context.writes.transaction(async (tx) => {
    const made = { ...account, state: 'active', createdAt: now } as const;
    await tx.manager.insert(Operator, made);
    const as = { account, method: 'passkey', label: 'A test' } as const;
    return await openSession(tx, context, { headers: {} }, as, now);
  });
  const browser = new Browser(test);
  browser.cookie = `${cookieName(context, 'operator')}=${opened.token}`;
  const { sessionId } = opened;
  return Object.assign(browser, { operatorId: account.id, sessionId });
}
