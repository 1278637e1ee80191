import { expect } from 'chai';
import { spendChallenge } from '../../server/dashboard/auth/challenge.js';
import { sweep } from '../../server/operations/jobs/sweep.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { randomBytes, randomUUID } from '../support/random.js';
import { Browser } from './access-browser.js';
import { device, inviteCode } from './access-link.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('what passes by itself of operators’ rows', () => {
  let test: TestBoard;

  beforeEach(async () => {
    test = await startBoard();
  });

  afterEach(() => test.stop());

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
    test.clock.advance(400 * 24 * HOUR);
    await run();
    const { writes } = test.board.context;
    for (const table of ['operator', 'operator_audit']) {
      const rows = await writes.query(`SELECT 1 FROM ${table}`);
      expect(rows, table).to.have.length(1);
    }
  });
});
