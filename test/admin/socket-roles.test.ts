import {
  COMMANDS,
  type CommandName,
  type CommandReply,
} from '../../server/dashboard/all-commands.js';
import { ROLES, type Role, reaches } from '../../server/dashboard/roles.js';
import type { TestBoard } from '../support/board.js';
import { givenBoard } from '../support/hooks.js';
import { until } from '../support/until.js';
import { Browser, codeOf, PASSPHRASE, setUp } from './access-browser.js';
import { device, inviteCode, operator } from './access-link.js';
import { Dashboard } from './dashboard.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NAMES = Object.keys(COMMANDS) as CommandName[];
/** A socket takes twenty a second. */
const AT_ONCE = 18;
const NONSENSE = { wrong: true };

type Place = { test: TestBoard; root: Browser };
type Device = Awaited<ReturnType<typeof device>>;

const ENDINGS: Record<
  string,
  (place: Place, it: Device) => Promise<unknown> | unknown
> = {
  'it is idle for twelve hours': ({ test }) => test.clock.advance(12 * HOUR),
  'it signs out': (_, it) => it.post('/sign-out'),
  'its owner revokes it': (_, it) =>
    it.post(`/sessions/${it.sessionId}/revoke`),
  'an admin ends it': ({ root }, it) =>
    root.post(`/operators/${it.operatorId}/sessions/${it.sessionId}/revoke`),
  'an admin signs the account out': ({ root }, it) =>
    root.post(`/operators/${it.operatorId}/sign-out`),
  'an admin disables the account': ({ root }, it) =>
    root.post(`/operators/${it.operatorId}/disable`),
  'the account was disabled and is enabled again': async ({ root }, it) => {
    await root.post(`/operators/${it.operatorId}/disable`);
    return await root.post(`/operators/${it.operatorId}/enable`);
  },
};

describe('an open socket', () => {
  const test = givenBoard({ lifted: true });
  let place: Place;
  const open: Dashboard[] = [];

  beforeEach(async () => {
    place = { test, root: await device(test, 'admin') };
  });

  afterEach(() => {
    for (const made of open.splice(0)) made.close();
  });

  async function connect(cookie: string | null): Promise<Dashboard> {
    const made = new Dashboard(test, { cookie: cookie ?? '' });
    open.push(made);
    await made.settled();
    if (made.refused === null) {
      await until('a snapshot', () => made.of('snapshot').length === 1);
    }
    return made;
  }

  const connectAll = (cookie: string | null) =>
    Promise.all(
      NAMES.filter((_, n) => n % AT_ONCE === 0).map(() => connect(cookie)),
    );

  /** Every command by its name; null where the socket was closed first. */
  async function giveAll(
    sockets: readonly Dashboard[],
  ): Promise<[CommandName, CommandReply | null][]> {
    return await Promise.all(
      NAMES.map(
        async (name, n): Promise<[CommandName, CommandReply | null]> => {
          const socket = sockets[Math.floor(n / AT_ONCE)];
          const sent = socket?.send({ name, input: NONSENSE });
          return [name, (await sent?.catch(() => null)) ?? null];
        },
      ),
    );
  }

  function seen(reply: CommandReply | null) {
    if (reply === null || reply.ok) return reply;
    const { status, error } = reply;
    return status === 400 ? null : { status, scope: error.scope };
  }

  for (const [name, end] of Object.entries(ENDINGS)) {
    it(`takes no command and closes when ${name}`, async () => {
      for (const role of ROLES) {
        const it = await device(test, role);
        const sockets = await connectAll(it.cookie);
        // Days go by for the one who ends it as well.
        await end(place, it);
        for (const [command, reply] of await giveAll(sockets)) {
          if (reply === null) continue;
          const due = { status: 401, scope: 'session' };
          expect(seen(reply), `${role} ${command}`).to.deep.equal(due);
        }
        await until('they are closed', () =>
          sockets.every(({ connected }) => !connected),
        );
        expect((await connect(it.cookie)).refused).not.to.equal(null);
        place = { test, root: await device(test, 'admin') };
      }
    });
  }

  const LOWERED: [from: Role, to: Role][] = [
    ['admin', 'moderator'],
    ['admin', 'viewer'],
    ['moderator', 'viewer'],
    ['viewer', 'moderator'],
    ['viewer', 'admin'],
  ];
  for (const [from, to] of LOWERED) {
    it(`has the new rights at once when ${from} becomes ${to}`, async () => {
      const it = await device(test, from);
      const sockets = await connectAll(it.cookie);
      const path = `/operators/${it.operatorId}/role`;
      const changed = await place.root.post(path, { role: to });
      expect(changed.status, changed.text).to.equal(200);
      for (const [name, reply] of await giveAll(sockets)) {
        const { right } = COMMANDS[name];
        const due = reaches(to, right) ? null : { status: 403, scope: right };
        expect(reply?.ok, name).to.equal(false);
        expect(seen(reply), name).to.deep.equal(due);
      }
      expect(sockets.every(({ connected }) => connected)).to.equal(true);
    });
  }

  const AGES: [age: string, ms: number, fresh: boolean][] = [
    ['a moment less than ten minutes', 10 * MINUTE - 1, true],
    ['ten minutes', 10 * MINUTE, false],
    ['an hour', HOUR, false],
    ['less than nothing, as the clock went back', -1, false],
  ];
  for (const [age, ms, fresh] of AGES) {
    it(`asks for the credential again at the age of ${age}`, async () => {
      const it = await device(test, 'admin');
      const sockets = await connectAll(it.cookie);
      test.clock.advance(ms);
      const asks: string[] = [];
      for (const [name, reply] of await giveAll(sockets)) {
        expect(reply?.ok, name).to.equal(false);
        const isAsked = !fresh && COMMANDS[name].fresh === true;
        const due = isAsked ? { status: 401, scope: 'step_up' } : null;
        expect(seen(reply), name).to.deep.equal(due);
        if (isAsked) asks.push(name);
      }
      expect(asks.length > 0).to.equal(!fresh);
    });
  }

  it('ends with the identifier that a step-up replaces', async () => {
    const { browser, secret } = await operator(test, 'anna', 'admin');
    const stolen = await connectAll(browser.cookie);
    test.clock.advance(10 * MINUTE);
    const answer = await browser.post('/step-up/passphrase', {
      ...{ passphrase: PASSPHRASE, totp: codeOf(test, secret) },
    });
    expect(answer.status, answer.text).to.equal(200);
    const own = await connectAll(browser.cookie);
    for (const [name, reply] of await giveAll(stolen)) {
      if (reply === null) continue;
      const due = { status: 401, scope: 'session' };
      expect(seen(reply), name).to.deep.equal(due);
    }
    await until('the stolen ones are closed', () =>
      stolen.every(({ connected }) => !connected),
    );
    for (const [name, reply] of await giveAll(own)) {
      expect(seen(reply), name).to.equal(null);
      expect(reply?.ok, name).to.equal(false);
    }
  });

  it('ends with the account that a set-up link gives to another', async () => {
    const { browser } = await operator(test, 'bert', 'admin');
    const sockets = await connectAll(browser.cookie);
    const code = await inviteCode(test, 'bert', 'viewer');
    const again = await setUp(new Browser(test), code);
    expect(again.operator.role).to.equal('viewer');
    await until('they are closed', () =>
      sockets.every(({ connected }) => !connected),
    );
  });
});
