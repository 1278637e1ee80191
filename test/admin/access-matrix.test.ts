import {
  ALL,
  COMMANDS,
  type CommandName,
} from '../../server/dashboard/all-commands.js';
import { answerCommand } from '../../server/dashboard/live/answer-command.js';
import { ROLES, type Role, reaches } from '../../server/dashboard/roles.js';
import { addressOf, adminRoutes } from '../../server/dashboard/router.js';
import { OperatorSession } from '../../server/db/entities/operator-session.js';
import { givenBoard } from '../support/hooks.js';
import { routesOf } from '../support/routes.js';
import { rows } from '../support/rows.js';
import { Browser } from './access-browser.js';
import { device } from './access-link.js';
import { Dashboard } from './dashboard.js';
import { operator } from './operators.js';

const HOUR = 3_600_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';
const LISTED = ALL.map((it) => ({ ...addressOf(it), ...it }));
type Rule = (typeof LISTED)[number];
const RULES = new Map<string, Rule>(LISTED.map((it) => [it.name, it]));
const NAMES = Object.keys(COMMANDS) as CommandName[];
/** A socket takes twenty a second. */
const AT_ONCE = 18;

/** Whose session is live; a stale one has not signed in for an hour. */
const SIGNED_IN = ['stale', ...ROLES] as const;
const VISITORS = ['no session', 'an expired session', ...SIGNED_IN] as const;
type Visitor = (typeof VISITORS)[number];

const roleOf = (visitor: 'stale' | Role): Role =>
  visitor === 'stale' ? 'admin' : visitor;

/** The refusal that the declaration asks for, or null where there is none. */
function expected({ right, fresh }: Rule, visitor: Visitor) {
  if (right === 'anyone') return null;
  if (visitor === 'no session' || visitor === 'an expired session') {
    return { error: 'unauthorized', scope: 'session' };
  }
  if (visitor === 'stale') {
    return fresh ? { error: 'unauthorized', scope: 'step_up' } : null;
  }
  return reaches(visitor, right) ? null : { error: 'forbidden', scope: right };
}

function refusal({ error, scope }: { error?: string; scope?: string }) {
  const guards: (string | undefined)[] = [...ROLES, 'session', 'step_up'];
  return guards.includes(scope) ? { error, scope } : null;
}

const statusOf = (refused: { error?: string | undefined }) =>
  refused.error === 'unauthorized' ? 401 : 403;

describe('what each role may do (G4)', () => {
  const test = givenBoard();
  const open: Dashboard[] = [];
  const browsers = new Map<Visitor, Browser>();

  after(() => {
    for (const dashboard of open) dashboard.close();
  });

  const send = (browser: Browser, { method, path }: Rule) => {
    const at = path.replace(/:\w+/g, NOBODY);
    return method === 'GET' ? browser.get(at) : browser.post(at, {});
  };

  const visit = async (visitor: Visitor): Promise<Browser> => {
    if (visitor === 'no session') return new Browser(test);
    const isRole = visitor !== 'stale' && visitor !== 'an expired session';
    const browser = await device(test, isRole ? visitor : 'admin');
    const now = test.clock.now();
    if (!isRole) {
      const old =
        visitor === 'stale' ? { credentialAt: now - HOUR } : { expiresAt: now };
      await rows(test).update(OperatorSession, browser.sessionId, old);
    }
    return browser;
  };

  const dashboard = async (cookie: string): Promise<Dashboard> => {
    const made = new Dashboard(test, { cookie });
    open.push(made);
    await made.settled();
    return made;
  };

  const give = async (cookie: string | undefined, name: string) => {
    const { board } = test;
    const context = { ...board.context, peers: board.peerAdmin };
    const request = { name, input: {} };
    return await answerCommand(board.context, context, cookie, request);
  };

  for (const visitor of VISITORS) {
    for (const [name, rule] of RULES) {
      it(`${name} by ${visitor}`, async () => {
        const browser = browsers.get(visitor) ?? (await visit(visitor));
        browsers.set(visitor, browser);
        const { body, status, text } = await send(browser, rule);
        // What is done may end a session.
        if (status < 300) browsers.delete(visitor);
        const refused = refusal(body);
        expect(refused, text).to.deep.equal(expected(rule, visitor));
        if (refused !== null) expect(status).to.equal(statusOf(refused));
        else expect(status).to.be.lessThan(500).and.not.equal(405);
      });
    }
  }

  for (const visitor of SIGNED_IN) {
    it(`every command of a socket by ${visitor}`, async () => {
      for (let at = 0; at < NAMES.length; at += AT_ONCE) {
        const { cookie, sessionId } = await operator(test, roleOf(visitor));
        if (visitor === 'stale') {
          const credentialAt = test.clock.now() - HOUR;
          await rows(test).update(OperatorSession, sessionId, { credentialAt });
        }
        const made = await dashboard(cookie);
        for (const name of NAMES.slice(at, at + AT_ONCE)) {
          // The role is checked before the body.
          const reply = await made.send({ name, input: { wrong: true } });
          if (reply.ok) throw new Error(`${name} took nonsense`);
          const due = expected(RULES.get(name) as Rule, visitor);
          const { status, error } = reply;
          expect(refusal(error), name).to.deep.equal(due);
          expect(status, name).to.equal(due === null ? 400 : statusOf(due));
        }
        made.close();
      }
    });
  }

  const HASHES = { passphraseCost: 2, refusalMs: 0 };

  it('is declared for every route under /admin, each mounted once', () => {
    const { board } = test;
    const mounted = routesOf(
      adminRoutes(board.context, board.peerAdmin, HASHES),
    ).flatMap(({ path, methods }) =>
      methods.map((method) => `${method.toUpperCase()} ${path}`),
    );
    const listed = LISTED.map(({ method, path }) => `${method} /api${path}`);
    expect(mounted).to.have.members(listed);
    expect(new Set(mounted).size).to.equal(mounted.length);
    expect(RULES.size).to.equal(LISTED.length);
  });

  it('is nothing at an address that is not declared', async () => {
    const browser = await device(test, 'admin');
    for (const [name, { path }] of RULES) {
      const at = path.replace(/:\w+/g, NOBODY);
      const missing = await browser.get(`${at}/more`);
      expect(missing.status, name).to.equal(404);
    }
  });

  it('is declared for every command of a socket, which knows no other', async () => {
    const { cookie } = await operator(test, 'admin');
    for (const [name, { path }] of RULES) {
      const isCommand = NAMES.includes(name as CommandName);
      expect(isCommand, name).to.equal(path === `/do/${name}`);
      if (isCommand) continue;
      const reply = await give(cookie, name);
      expect(reply, name).to.include({ ok: false, status: 404 });
    }
    expect([...RULES.keys()]).to.include.members(NAMES);
  });

  it('is no command without a live session', async () => {
    const ended = await operator(test, 'admin');
    const expiresAt = test.clock.now();
    await rows(test).update(OperatorSession, ended.sessionId, { expiresAt });
    for (const cookie of [undefined, '', ended.cookie]) {
      for (const name of NAMES) {
        const reply = await give(cookie, name);
        expect(reply, name).to.include({ ok: false, status: 401 });
        expect(reply).to.have.nested.property('error.scope', 'session');
      }
      expect((await dashboard(cookie ?? '')).refused).not.to.equal(null);
    }
  });

  it('opens nothing of another operator to a peer', async () => {
    const mine = await device(test, 'viewer');
    const other = await device(test, 'viewer');
    const revoked = await mine.post(`/sessions/${other.sessionId}/revoke`);
    expect(revoked.status).to.equal(404);
    expect((await other.get('/sessions')).status).to.equal(200);
    const { body } = await mine.get('/sessions');
    expect(JSON.stringify(body)).not.to.include(other.sessionId);
    const view = { name: 'Mine', query: 'status=open' };
    expect((await mine.post('/do/view.save', view)).status).to.equal(200);
    const views = await other.post('/do/view.list');
    expect(views.body.data).to.deep.equal([]);
    const removed = await other.post('/do/view.remove', { name: 'Mine' });
    expect(removed.status).to.be.oneOf([200, 404]);
    const left = await mine.post('/do/view.list');
    expect(left.body.data).to.have.length(1);
  });
});
