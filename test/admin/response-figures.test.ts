import { DAY_MS, utcDay } from '../../server/clock.js';
import type { Overview } from '../../server/dashboard/commands/overview.js';
import type { ResponseFigures } from '../../server/dashboard/commands/response.js';
import { decideTo } from '../support/decide.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import {
  done,
  givenOperators,
  operator,
  RULING,
  reported,
  STAYS,
} from './operators.js';

const MINUTE_MS = 60_000;

describe('Response figures', () => {
  const { test, admin: ada, moderator: mo } = givenOperators();
  let began: number;

  // Ten reports, claimed after 1 to 10 minutes and decided a minute later.
  before(async () => {
    began = test.clock.now();
    const reports: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      const { message } = await publish(test, { reply_to: 1 });
      reports.push(await reported(test, message.id));
    }
    for (const [n, report] of reports.entries()) {
      test.clock.advance(MINUTE_MS - 1);
      const subject = `message:${n + 3}`;
      await done(mo.ask('subject.claim', { subject }));
      test.clock.advance(1);
      if (n === 9) break;
      const about = { id: n + 3, report_ids: [report], ...RULING };
      await done(mo.ask('decision.record', { action: 'remove', ...about }));
    }
    const back = { action: 'reinstate', id: 3, ...STAYS } as const;
    await done(ada.ask('decision.record', back));
  });

  const figures = (more: { from?: number; to?: number } = {}) =>
    done<ResponseFigures>(ada.ask('response.read', more));

  it('are median and p90 of the first claim and of the decision', async () => {
    const found = await figures();
    expect(found).to.include({ reports: 10, claimed: 10, settled: 9 });
    expect(found.to_first_claim).to.deep.equal({
      median_ms: 5 * MINUTE_MS - 1,
      p90_ms: 9 * MINUTE_MS - 1,
    });
    expect(found.to_decision).to.deep.equal({
      median_ms: 5 * MINUTE_MS,
      p90_ms: 9 * MINUTE_MS,
    });
  });

  it('keep the first claim when the report is claimed again', async () => {
    const subject = 'message:12';
    const before = await figures();
    await done(mo.ask('subject.unclaim', { subject }));
    test.clock.advance(MINUTE_MS);
    await done(ada.ask('subject.claim', { subject }));
    const { to_first_claim, claimed } = await figures();
    expect({ to_first_claim, claimed }).to.deep.equal({
      to_first_claim: before.to_first_claim,
      claimed: 10,
    });
  });

  it('count decisions by action and operator, and reversals', async () => {
    const { decisions, reversals } = await figures();
    expect(decisions).to.deep.equal([
      { action: 'remove', stays_hidden: false, operator: 'Mo', count: 9 },
      { action: 'reinstate', stays_hidden: false, operator: 'Ada', count: 1 },
    ]);
    expect(reversals).to.equal(1);
  });

  it('count open reports by age', async () => {
    const ages = async () => (await figures()).open_by_age;
    expect(await ages()).to.deep.equal({ hour: 1, day: 0, week: 0, older: 0 });
    const at = began + DAY_MS;
    const { open_by_age: then } = await figures({ to: at });
    expect(then).to.deep.equal({ hour: 0, day: 1, week: 0, older: 0 });
  });

  it('are of a period', async () => {
    const none = await figures({
      from: began + DAY_MS,
      to: began + 2 * DAY_MS,
    });
    expect(none).to.include({ reports: 0, claimed: 0, reversals: 0 });
    expect(none.to_decision).to.deep.equal({ median_ms: null, p90_ms: null });
    const answer = await ada.ask('response.read', { from: 2, to: 1 });
    expect(answer.body).to.include({ error: 'invalid_input', field: 'from' });
  });

  it('are on Overview and in the usefulness report', async () => {
    const { response } = await done<Overview>(ada.ask('overview.read', {}));
    expect(response).to.deep.equal(await figures());
    const [from, to] = [began, test.clock.now() + DAY_MS].map(utcDay);
    // No session lasts a day without a request.
    test.clock.advance(DAY_MS);
    const later = await operator(test, 'admin');
    const draft = await done<{ id: number; metrics: { response: unknown } }>(
      later.ask('usefulness.draft', { from: from ?? '', to: to ?? '' }),
    );
    expect(draft.metrics.response).to.deep.include({ reports: 10, settled: 9 });
  });
});

const EMPTY = `body = NULL, title = NULL, author = NULL, salt = NULL,
  refs = NULL, series_prefix = NULL, series_structure = NULL,
  project_keys = NULL, promotion = false, text_key = NULL, link_hosts = NULL`;

/** What somebody with SQL in his hands might try, and by what it fails. */
const SILENT: Readonly<Record<string, string>> = {
  'remove by deleting': 'DELETE FROM message WHERE id = 1',
  'remove all at once': 'TRUNCATE message CASCADE',
  'remove by emptying': `UPDATE message SET ${EMPTY} WHERE id = 1`,
  'remove by marking': `UPDATE message SET removed_at = 1, ${EMPTY} WHERE id = 1`,
  'remove by the mark of another': `UPDATE message SET removed_at = 1,
    removal = 'removed', removed_by = 1, ${EMPTY} WHERE id = 1`,
  'remove by a decision that was undone': `UPDATE message SET removed_at = 1,
    removal = 'removed', removed_by = 3, ${EMPTY} WHERE id = 3`,
  'change the text': "UPDATE message SET body = 'Else.' WHERE id = 1",
  'change the author': "UPDATE message SET author = 'Else' WHERE id = 1",
  'change the time': 'UPDATE message SET created_at = 1 WHERE id = 1',
  'change what was signed': `UPDATE message SET message_hash = '\\x00'
    WHERE id = 1`,
  'hide as a decision': `UPDATE message SET visibility = 'hidden_by_decision'
    WHERE id = 1`,
  'hide by the decision of another': `UPDATE message
    SET visibility = 'hidden_by_decision', visibility_by = 5 WHERE id = 1`,
  'hide as ratings do': `UPDATE message SET visibility = 'hidden_by_ratings'
    WHERE id = 1`,
  'hide as ratings do what was restored': `UPDATE message
    SET visibility = 'hidden_by_ratings', visibility_by = NULL, score = -9
    WHERE id = 4`,
  'hide again by an old decision': `UPDATE message
    SET visibility = 'hidden_by_decision', visibility_by = 5 WHERE id = 4`,
  'restore as a decision': `UPDATE message
    SET visibility = 'restored_by_decision' WHERE id = 2`,
  'restore without a word': `UPDATE message SET visibility = 'visible',
    visibility_by = NULL WHERE id = 2`,
  'restore by the decision of another': `UPDATE message
    SET visibility = 'restored_by_decision', visibility_by = 6 WHERE id = 2`,
  reinstate: `UPDATE message SET removed_at = NULL, removal = NULL,
    removed_by = NULL, body = 'x', title = 'x', author = 'x' WHERE id = 5`,
  'erase the seal': 'DELETE FROM sealed_content',
  'erase by the decision of another': `UPDATE message SET erased_by = 1
    WHERE id = 5`,
  'erase by deleting the decision': 'DELETE FROM decision',
  'change a decision': "UPDATE decision SET explanation = 'Else.'",
};

describe('Nothing silent: the database refuses to', () => {
  const test = givenBoard({ lifted: true });

  before(async () => {
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await publish(test, { title });
    }
    await decideTo.hide(test, 2); // 1
    await decideTo.remove(test, 5); // 2
    await decideTo.remove(test, 3); // 3
    await decideTo.reinstate(test, 3); // 4
    await decideTo.hide(test, 4); // 5
    await decideTo.restore(test, 4); // 6
  });

  const snapshot = async (): Promise<string> => {
    const rows = await test.board.context.reads.query(
      `SELECT (SELECT json_agg(m ORDER BY id) FROM message m) AS messages,
         (SELECT json_agg(d ORDER BY id) FROM decision d) AS decisions,
         (SELECT json_agg(s) FROM sealed_content s) AS sealed`,
    );
    return JSON.stringify(rows);
  };

  for (const [deed, statement] of Object.entries(SILENT)) {
    it(deed, async () => {
      const before = await snapshot();
      const { writes } = test.board.context;
      const error = await writes
        .transaction((tx) => tx.query(statement))
        .then(
          () => null,
          (thrown: { code?: string }) => thrown,
        );
      // Integrity constraint violations, all of them (SQLSTATE class 23).
      expect(error?.code, statement).to.match(/^23/);
      expect(await snapshot()).to.equal(before);
    });
  }
});
