import { spendChallenge } from '../../server/dashboard/auth/challenge.js';
import { Operator } from '../../server/db/entities/operator.js';
import { OperatorAudit } from '../../server/db/entities/operator-session.js';
import { sweep } from '../../server/operations/jobs/sweep.js';
import { startBoard } from '../support/board.js';
import { givenBoard } from '../support/hooks.js';
import { randomBytes, randomUUID } from '../support/random.js';
import { rows } from '../support/rows.js';
import { Browser, works } from './access-browser.js';
import { device, inviteCode } from './access-link.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('other operators’ accounts', () => {
  const test = givenBoard();

  it('have sessions that an admin lists and ends', async () => {
    const boss = await device(test, 'admin');
    const anna = await device(test, 'viewer', 'anna');
    const at = `/operators/${anna.operatorId}/sessions`;
    const { body } = await boss.get(at);
    expect(body.data).to.have.length(1);
    expect(body.data[0]).to.include({ id: anna.sessionId, current: false });
    const wrong = await boss.post(`${at}/${boss.sessionId}/revoke`);
    expect(wrong.status).to.equal(404);
    const ended = await boss.post(`${at}/${anna.sessionId}/revoke`);
    expect(ended.body).to.deep.equal({ ended: 1 });
    expect(await works(anna)).to.equal(false);
    expect(await works(boss)).to.equal(true);
    const nobody = await boss.get(`/operators/${boss.sessionId}/sessions`);
    expect(nobody.status).to.equal(404);
    const all = await boss.post(`/operators/${anna.operatorId}/sign-out`);
    expect(all.body).to.deep.equal({ ended: 0 });
  });

  it('are never all without an admin', async () => {
    const alone = await startBoard();
    const boss = await device(alone, 'admin');
    const other = await device(alone, 'admin');
    const disable = (by: typeof boss, whom: typeof boss) =>
      by.post(`/operators/${whom.operatorId}/disable`);
    const both = await Promise.all([
      disable(boss, other),
      disable(other, boss),
    ]);
    const statuses = both.map(({ status }) => status).sort();
    expect(statuses[0]).to.equal(200);
    expect(statuses[1]).to.be.oneOf([401, 403]);
    const [left] = (await works(boss)) ? [boss] : [other];
    expect((await disable(left, left)).status).to.equal(403);
    const role = await left.post(`/operators/${left.operatorId}/role`, {
      role: 'moderator',
    });
    expect(role.status).to.equal(403);
    await alone.stop();
  });
});

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
    expect([await works(used), await works(idle)]).to.deep.equal([true, false]);
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
