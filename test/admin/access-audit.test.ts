import pg from 'pg';
import { auditHash } from '../../server/dashboard/audit.js';
import { OperatorAudit } from '../../server/db/entities/operator-session.js';
import { recordFaults } from '../faults/report.js';
import { givenBoard } from '../support/hooks.js';
import { rows } from '../support/rows.js';
import { device, operator } from './access-link.js';

type Check = {
  ok: boolean;
  rows: number;
  head: string;
  broken: { id: number; problem: string } | null;
};

describe('the trail of what operators did (G5)', () => {
  const test = givenBoard();
  let admin: Awaited<ReturnType<typeof device>>;
  let renamed = 0;

  before(async () => {
    admin = await device(test, 'admin', 'root');
  });

  const rename = async (times: number) => {
    for (const end = renamed + times; renamed < end; renamed += 1) {
      const alias = `Alias ${renamed}`;
      const answer = await admin.post('/account/alias', { alias });
      expect(answer.status, answer.text).to.equal(200);
    }
  };
  const check = async (): Promise<Check> =>
    (await admin.get('/audit/check')).body;

  /** As those can who have the database, past every trigger. */
  const behindItsBack = async (statement: string) => {
    const client = new pg.Client({ connectionString: test.databaseUrl });
    await client.connect();
    try {
      await client.query('ALTER TABLE operator_audit DISABLE TRIGGER USER');
      await client.query(statement);
      await client.query('ALTER TABLE operator_audit ENABLE TRIGGER USER');
    } finally {
      await client.end();
    }
  };

  it('has a row for every action: who, what, when, before and after', async () => {
    await rename(2);
    const { body } = await admin.get('/audit?limit=1');
    expect(body.data[0]).to.deep.include({
      id: 2,
      at: '2026-01-15T12:00:00Z',
      operator: 'root',
      operator_id: admin.operatorId,
      session_id: admin.sessionId,
      action: 'account.alias',
      subject: 'operator:root',
      before: { alias: 'Alias 0' },
      after: { alias: 'Alias 1' },
    });
    expect(body.next).to.equal(2);
    const rest = await admin.get('/audit?before=2');
    expect(rest.body.data).to.have.length(1);
    expect(rest.body.next).to.equal(null);
    const none = await admin.get('/audit?operator=nobody');
    expect(none.body.data).to.deep.equal([]);
    const some = await admin.get('/audit?action=account.alias');
    expect(some.body.data).to.have.length(2);
  });

  it('is one chain, also of what happens at the same moment', async () => {
    const { rows } = await check();
    const others = await Promise.all(
      [1, 2, 3, 4].map(() => device(test, 'admin')),
    );
    await Promise.all(
      others.flatMap((other, n) =>
        [1, 2, 3].map((k) =>
          other.post('/account/alias', { alias: `Many ${n} ${k}` }),
        ),
      ),
    );
    const whole = { ok: true, rows: rows + 12, broken: null };
    expect(await check()).to.deep.include(whole);
  });

  /** What a check finds while something is changed, which is undone then. */
  async function found(change: string): Promise<Check['broken']> {
    const whole = await check();
    await behindItsBack('CREATE TABLE kept AS SELECT * FROM operator_audit');
    await behindItsBack(change);
    const { ok, broken } = await check();
    expect(ok, change).to.equal(false);
    await behindItsBack('DELETE FROM operator_audit');
    await behindItsBack('INSERT INTO operator_audit SELECT * FROM kept');
    await behindItsBack('DROP TABLE kept');
    expect(await check()).to.deep.equal(whole);
    return broken;
  }

  it('names the row that was edited after 100 actions', async () => {
    await rename(100);
    const { ok, broken, head } = await check();
    expect([ok, broken]).to.deep.equal([true, null]);
    expect(head).to.match(/^[0-9a-f]{64}$/);
    const edits = [
      `after = '{"alias":"Other"}'`,
      "operator = 'somebody'",
      'at = at + 1',
      'session_id = NULL',
      "subject = 'operator:anna'",
    ];
    for (const edit of edits) {
      const row = await found(
        `UPDATE operator_audit SET ${edit} WHERE id = 57`,
      );
      expect(row?.id, edit).to.equal(57);
    }
    await recordFaults({ test: 'G5', faults: 100 + edits.length });
  });

  it('names the row after one whose hash was made again as well', async () => {
    const row = await rows(test).findOneByOrFail(OperatorAudit, { id: 2 });
    const hash = auditHash({ ...row, operator: 'somebody' });
    const again = `UPDATE operator_audit SET operator = 'somebody',
      hash = '\\x${hash.toString('hex')}' WHERE id = 2`;
    expect(await found(again)).to.deep.equal({
      ...{ id: 3, problem: 'it does not go on from the row before it' },
    });
  });

  it('names the row that was taken out, first, last or between', async () => {
    for (const id of [(await check()).rows, 3, 1]) {
      const missing = await found(
        `DELETE FROM operator_audit WHERE id = ${id}`,
      );
      expect(missing).to.deep.equal({ id, problem: 'it is missing' });
    }
  });

  it('names the row that was put in', async () => {
    const { rows: last } = await check();
    const put = `INSERT INTO operator_audit SELECT id + 1, at, operator_id,
      operator, session_id, action, subject, before, after, hash, previous
      FROM operator_audit WHERE id = ${last}`;
    expect((await found(put))?.id).to.equal(last + 1);
  });

  it('cannot be changed through the board’s own connection', async () => {
    const whole = await check();
    const { writes } = test.board.context;
    for (const statement of [
      "UPDATE operator_audit SET operator = 'x'",
      'DELETE FROM operator_audit',
      'TRUNCATE operator_audit',
    ]) {
      let refused = '';
      await writes.query(statement).catch((error: Error) => {
        refused = error.message;
      });
      expect(refused).to.equal(
        'operator_audit rows are never changed or deleted',
      );
    }
    expect(await check()).to.deep.equal(whole);
  });

  it('is exported whole, as CSV and JSON', async () => {
    const { rows: all, head } = await check();
    const json = await admin.get('/audit/export');
    expect(json.headers['content-disposition']).to.equal(
      'attachment; filename="operators-audit.json"',
    );
    expect(json.body.data).to.have.length(all);
    const { hash, after } = json.body.data.at(-1);
    expect(hash).to.equal(head);
    const csv = await admin.get('/audit/export?format=csv');
    expect(csv.headers['content-type']).to.equal('text/csv; charset=utf-8');
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines).to.have.length(all + 1);
    expect(lines[0]).to.equal(
      'id,at,operator_id,operator,session_id,action,subject,before,after,previous,hash',
    );
    const written = after.replaceAll('"', '""');
    expect(lines.at(-1)).to.include(`"${written}"`).and.to.include(hash);
    const other = await admin.get('/audit/export?format=xml');
    expect(other.status).to.equal(400);
  });

  it('tells no secret of an enrolment, a sign-in or a recovery', async () => {
    const root = await operator(test, 'anna', 'admin');
    await root.browser.post('/credentials/recovery');
    const [, token = ''] = root.browser.cookie?.split('=') ?? [];
    const { text } = await root.browser.get('/audit/export');
    expect(text).to.include('setup.passphrase');
    for (const secret of [
      ...[token, root.passphrase, root.secret],
      ...root.recoveryCodes,
    ]) {
      expect(text).not.to.include(secret);
    }
  });
});
