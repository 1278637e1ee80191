import { expect } from 'chai';
import { COMMANDS, type CommandName } from '../../server/dashboard/events.js';
import { answerCommand } from '../../server/dashboard/live/answer-command.js';
import {
  ACTIONS,
  type ActionName,
  type ActionRule,
  reaches,
} from '../../server/dashboard/roles.js';
import { adminRoutes } from '../../server/dashboard/router.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { routesOf } from '../support/routes.js';
import { device } from './access-link.js';
import { Dashboard } from './actions-dashboard.js';
import { operator } from './actions-operator.js';

const RULES = Object.entries(ACTIONS) as [ActionName, ActionRule][];
const NAMES = Object.keys(COMMANDS) as CommandName[];
/** A socket takes twenty a second. */
const AT_ONCE = 18;
const HOUR = 3_600_000;

const VISITORS = ['stale', 'viewer', 'moderator', 'admin'] as const;
type Visitor = (typeof VISITORS)[number];

/** What the table says: null where the action is met. */
function expected(name: CommandName, visitor: Visitor) {
  const { least, fresh } = ACTIONS[name];
  if (visitor === 'stale') {
    return fresh ? { status: 401, scope: 'step_up' } : null;
  }
  return reaches(visitor, least) ? null : { status: 403, scope: least };
}

describe('the table of actions', () => {
  let test: TestBoard;
  let open: Dashboard[];

  before(async () => {
    test = await startBoard();
    open = [];
  });

  after(async () => {
    for (const dashboard of open) dashboard.close();
    await test.stop();
  });

  it('has a line for every route below /admin, and a route for every line', () => {
    const { board } = test;
    const mounted = routesOf(adminRoutes(board.context, board.desk)).flatMap(
      ({ path, methods }) =>
        methods.map((method) => `${method.toUpperCase()} ${path}`),
    );
    const listed = RULES.map(([, { method, path }]) => `${method} /api${path}`);
    expect(mounted).to.have.members(listed);
    expect(new Set(mounted).size).to.equal(mounted.length);
  });

  it('has a line for every command of a socket, and knows no other', async () => {
    const { board } = test;
    const desk = { ...board.context, peers: board.desk };
    const { cookie } = await operator(test, 'admin');
    const posts = RULES.filter(
      ([name, { path }]) => path === `/do/${name}`,
    ).map(([name]) => name);
    expect(posts).to.have.members(NAMES);
    for (const [name] of RULES) {
      if (NAMES.includes(name as CommandName)) continue;
      const request = { name, input: {} };
      const reply = await answerCommand(board.context, desk, cookie, request);
      expect(reply, name).to.include({ ok: false, status: 404 });
    }
  });

  it('lets nobody without a live session give any command', async () => {
    const { board } = test;
    const desk = { ...board.context, peers: board.desk };
    const ended = await operator(test, 'admin');
    await board.context.writes.query(
      'UPDATE operator_session SET expires_at = $2 WHERE id = $1',
      [ended.sessionId, test.clock.now()],
    );
    for (const cookie of [undefined, '', ended.cookie]) {
      for (const name of NAMES) {
        const request = { name, input: {} };
        const reply = await answerCommand(board.context, desk, cookie, request);
        expect(reply, name).to.include({ ok: false, status: 401 });
        expect(reply).to.have.nested.property('error.scope', 'session');
      }
      const made = new Dashboard(test, { cookie: cookie ?? '' });
      open.push(made);
      await made.settled();
      expect(made.refused).not.to.equal(null);
    }
  });

  for (const visitor of VISITORS) {
    it(`is what a socket goes by: every command by ${visitor}`, async () => {
      const role = visitor === 'stale' ? 'admin' : visitor;
      for (let at = 0; at < NAMES.length; at += AT_ONCE) {
        const signedIn = await operator(test, role);
        if (visitor === 'stale') {
          await test.board.context.writes.query(
            `UPDATE operator_session SET credential_at = credential_at - $2
             WHERE id = $1`,
            [signedIn.sessionId, HOUR],
          );
        }
        const made = new Dashboard(test, { cookie: signedIn.cookie });
        open.push(made);
        await made.settled();
        for (const name of NAMES.slice(at, at + AT_ONCE)) {
          // Whatever else is wrong with it, the right is looked at first.
          const reply = await made.send({ name, input: { wrong: true } });
          if (reply.ok) throw new Error(`${name} took nonsense`);
          const due = expected(name, visitor);
          const { status, error } = reply;
          if (due === null) expect(status, name).to.equal(400);
          else expect({ status, scope: error.scope }, name).to.deep.equal(due);
        }
        made.close();
      }
    });
  }

  it('opens nothing of another operator to his peer', async () => {
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
