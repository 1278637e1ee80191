import { expect } from 'chai';
import {
  ACTIONS,
  type ActionName,
  type ActionRule,
  ROLES,
  type Role,
  reaches,
} from '../../server/dashboard/roles.js';
import { checkAction, type SignedIn } from '../../server/dashboard/session.js';
import { BoardError } from '../../server/errors.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { Browser } from './access-browser.js';
import { device } from './access-link.js';

const HOUR = 3_600_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';
const RULES = Object.entries(ACTIONS) as [ActionName, ActionRule][];

type Visitor = 'no session' | 'an expired session' | 'stale' | Role;

/** The refusal that the table asks for, or null where the action is met. */
function expected({ least, fresh }: ActionRule, visitor: Visitor) {
  if (least === 'anyone') return null;
  if (visitor === 'no session' || visitor === 'an expired session') {
    return { error: 'unauthorized', scope: 'session' };
  }
  if (visitor === 'stale') {
    return fresh ? { error: 'unauthorized', scope: 'step_up' } : null;
  }
  return reaches(visitor, least) ? null : { error: 'forbidden', scope: least };
}

/** Whether an answer is a refusal of the guard, and which. */
function refusal(body: { error?: string; scope?: string }) {
  const { error, scope } = body;
  const guards = [...ROLES, 'session', 'step_up'];
  return scope !== undefined && guards.includes(scope)
    ? { error, scope }
    : null;
}

describe('what each role may do (G4)', () => {
  let test: TestBoard;

  before(async () => {
    test = await startBoard();
  });

  after(() => test.stop());

  const send = (browser: Browser, { method, path }: ActionRule) => {
    const at = path.replace(/:\w+/g, NOBODY);
    return method === 'GET' ? browser.get(at) : browser.post(at, {});
  };

  const visit = async (visitor: Visitor): Promise<Browser> => {
    if (visitor === 'no session') return new Browser(test);
    if (visitor !== 'stale' && visitor !== 'an expired session') {
      return await device(test, visitor);
    }
    const browser = await device(test, 'admin');
    test.clock.advance(visitor === 'stale' ? HOUR : 12 * HOUR);
    return browser;
  };

  const visitors: Visitor[] = [
    ...(['no session', 'an expired session', 'stale'] as const),
    ...ROLES,
  ];
  for (const visitor of visitors) {
    for (const [name, rule] of RULES) {
      it(`${name} by ${visitor}`, async () => {
        // An own session for each: signing out would end a shared one.
        const answer = await send(await visit(visitor), rule);
        const refused = refusal(answer.body);
        expect(refused, answer.text).to.deep.equal(expected(rule, visitor));
        const { status } = answer;
        if (refused?.error === 'unauthorized') expect(status).to.equal(401);
        else if (refused !== null) expect(status).to.equal(403);
        else expect(status).to.be.lessThan(500).and.not.equal(405);
      });
    }
  }

  it('is mounted as the table says, and nothing else is', async () => {
    const browser = await device(test, 'admin');
    for (const [name, rule] of RULES) {
      const at = rule.path.replace(/:\w+/g, NOBODY);
      const missing = await browser.get(`${at}/more`);
      expect(missing.status, name).to.equal(404);
    }
    const paths = RULES.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(paths).size).to.equal(paths.length);
  });

  it('is checked the same for a command as for a request', () => {
    const now = 1_000_000_000;
    for (const [name, rule] of RULES) {
      if (rule.least === 'anyone') continue;
      for (const visitor of ['stale', ...ROLES] as const) {
        const operator: SignedIn = {
          operatorId: NOBODY,
          name: 'x',
          alias: 'x',
          role: visitor === 'stale' ? 'admin' : visitor,
          sessionId: NOBODY,
          method: 'passkey',
          credentialAt: visitor === 'stale' ? now - 600_000 : now,
          expiresAt: now + 1,
        };
        let refused: unknown = null;
        try {
          checkAction(operator, name, now);
        } catch (error) {
          refused = error instanceof BoardError ? error.body() : error;
        }
        const shown = refused === null ? null : refusal(refused as object);
        expect(shown, `${name} ${visitor}`).to.deep.equal(
          expected(rule, visitor),
        );
      }
    }
  });
});
