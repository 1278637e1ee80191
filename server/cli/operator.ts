import { Progress } from '../../client/cli/progress.js';
import { publicTime, systemClock } from '../clock.js';
import { type Config, parseConfig } from '../config.js';
import { audited, commandLineActor } from '../dashboard/audit.js';
import { operatorName } from '../dashboard/auth/fields.js';
import {
  createInvite,
  INVITE_MS,
  setupLink,
} from '../dashboard/auth/invites.js';
import { changeAccount, listAccounts } from '../dashboard/auth/operators.js';
import { ROLES } from '../dashboard/roles.js';
import type { Database } from '../db/sql.js';
import { CommandFailure } from './failure.js';
import { readNodeAddress } from './node-address.js';
import { type JsonOption, print, some } from './output.js';
import { requireMigrated, withOwnDatabase } from './tool-database.js';

/** Migrated first; slow if the node is down. */
export async function opened<T>(
  config: Config,
  json: boolean,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const progress = new Progress('opening the database', json);
  return await progress.during(
    withOwnDatabase(config, async (db) => {
      await requireMigrated(db);
      return await work(db);
    }),
  );
}

function checkedName(text: string): string {
  const name = operatorName.safeParse(text);
  if (name.success) return name.data;
  throw new CommandFailure(
    'The name must be 1 to 32 of a-z, 0-9, dot, hyphen and underscore, such as anna.',
  );
}

/** Replaces credentials of an existing name (spec/board.md §14.5). */
export async function inviteOperator(
  name: string,
  { role, json = false }: JsonOption & { role: string },
): Promise<void> {
  const account = checkedName(name);
  const asked = ROLES.find((known) => known === role);
  if (asked === undefined) {
    throw new CommandFailure(`--role must be one of: ${ROLES.join(', ')}.`);
  }
  const config = parseConfig(process.env);
  const invited = await opened(config, json, (db) => {
    const board = { writes: db, clock: systemClock };
    const action = 'operator.invite';
    const invite = { name: account, role: asked, madeBy: null };
    return audited(board, commandLineActor(), action, async (tx, now) => {
      const code = await createInvite(tx, invite, now);
      const answer = { code, expires: publicTime(now + INVITE_MS) };
      const after = { role: asked };
      return { answer, subject: `operator:${account}`, after };
    });
  });
  const { code, expires } = invited;
  const url = linkTo(config, code);
  print(
    json,
    { ok: true, name: account, role: asked, url, expires_at: expires },
    `${account} becomes ${asked} by this link, once, until ${expires}:\n  ${url}\nReaders see ${account} beside public decisions, unless the page is given another alias.`,
  );
}

/** Of the running node, else of these settings. */
function linkTo(config: Config, code: string): string {
  const node = readNodeAddress(config.dataDir);
  if (node === null) return setupLink({ config }, code, config.port);
  const running = { ...config, baseUrl: node.url };
  return setupLink({ config: running }, code, Number(new URL(node.local).port));
}

type Account = Awaited<ReturnType<typeof listAccounts>>[number];

function line(account: Account): string {
  const { name, role, state, alias, credentials, sessions } = account;
  const keys = [
    ...(credentials.passkeys > 0
      ? [some(credentials.passkeys, 'passkey')]
      : []),
    ...(credentials.passphrase ? ['passphrase'] : []),
  ];
  return `${name}  ${role}  ${state}  as "${alias}"  ${keys.join(' and ') || 'no sign-in method'}  ${some(sessions, 'session')}`;
}

export async function listOperators({ json = false }: JsonOption) {
  const config = parseConfig(process.env);
  const operators = await opened(config, json, (db) =>
    listAccounts(db, systemClock.now()),
  );
  const text =
    operators.length === 0
      ? 'There is no operator yet; "reserve-board operator invite <name> --role admin" makes a link.'
      : operators.map(line).join('\n');
  print(json, { ok: true, count: operators.length, operators }, text);
}

/** Ends its sessions, too. */
export async function disableOperator(
  name: string,
  { json = false }: JsonOption,
): Promise<void> {
  const account = checkedName(name);
  const config = parseConfig(process.env);
  const done = await opened(config, json, (db) =>
    db.transaction((tx) =>
      changeAccount(tx, {
        id: account,
        action: 'operator.disable',
        to: { state: 'disabled' },
        by: commandLineActor(),
        now: systemClock.now(),
      }),
    ),
  );
  if (done === null) {
    throw new CommandFailure(
      `There is no operator ${account}; "reserve-board operator list" shows all.`,
    );
  }
  print(
    json,
    { ok: true, operator: done },
    `${account} is disabled, and every session of the account has ended.`,
  );
}
