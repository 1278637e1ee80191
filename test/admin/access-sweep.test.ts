import { expect } from 'chai';
import { spendChallenge } from '../../server/dashboard/auth/challenge.js';
import { Operator } from '../../server/db/entities/operator.js';
import { OperatorAudit } from '../../server/db/entities/operator-session.js';
import { sweep } from '../../server/operations/jobs/sweep.js';
import { givenBoard } from '../support/hooks.js';
import { randomBytes, randomUUID } from '../support/random.js';
import { rows } from '../support/rows.js';
import { Browser } from './access-browser.js';
import { device, inviteCode } from './access-link.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('what passes by itself of operators’ rows', () => {
  const test = givenBoard();

  const run = () => sweep(test.board.context, new AbortController().signal);

  it('is an attempt after a quarter of an hour', async () => {
    await new Browser(test).post('/sign-in/recovery', {
      name: 'nobody',
      code: 'abc',
    });
    test.clock.advance(15 * MINUTE - 1);
    expect((await run()).operator_attempts).to.equal(0);
    test.clock.advance(1);
    expect((await run()).operator_attempts).to.equal(1);
  });

  it('is a session that was idle for twelve hours', async () => {
    const idle = await device(test, 'viewer');
    const used = await device(test, 'viewer');
    test.clock.advance(12 * HOUR - 1);
    expect((await used.get('/sessions')).status).to.equal(200);
    expect((await run()).operator_sessions).to.equal(0);
    test.clock.advance(1);
    expect((await run()).operator_sessions).to.equal(1);
    expect((await used.get('/sessions')).status).to.equal(200);
    expect((await idle.get('/sessions')).status).to.equal(401);
  });

  it('is a set-up link after an hour', async () => {
    await inviteCode(test, 'anna', 'viewer');
    test.clock.advance(HOUR - 1);
    expect((await run()).operator_links).to.equal(0);
    test.clock.advance(1);
    expect((await run()).operator_links).to.equal(1);
  });

  it('is a challenge that could not be answered any more', async () => {
    const text = randomBytes(56).toString('base64url');
    const { writes } = test.board.context;
    const spend = () =>
      writes.transaction((tx) => spendChallenge(tx, text, test.clock.now()));
    expect(await spend()).to.equal(true);
    test.clock.advance(10 * MINUTE - 1);
    expect((await run()).operator_challenges).to.equal(0);
    expect(await spend()).to.equal(false);
    test.clock.advance(1);
    expect((await run()).operator_challenges).to.equal(1);
  });

  it('is no account and no row of the trail', async () => {
    const anna = await device(test, 'admin');
    await anna.post('/account/alias', { alias: randomUUID() });
    const counts = () =>
      Promise.all([Operator, OperatorAudit].map((it) => rows(test).count(it)));
    const before = await counts();
    test.clock.advance(400 * 24 * HOUR);
    await run();
    expect(await counts()).to.deep.equal(before);
    expect(before[1]).to.equal(1);
  });
});
