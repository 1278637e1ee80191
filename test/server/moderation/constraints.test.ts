import { expect } from 'chai';
import { Decision } from '../../../server/db/entities/decision.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { network, rate } from '../votes/rating.js';

const NO_TEXT = `body = NULL, title = NULL, author = NULL, salt = NULL,
  text_key = NULL, link_hosts = NULL`;

describe('The database refuses, without a decision that says so,', () => {
  const test = givenBoard({ limits: LIFTED });

  before(async () => {
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      await publish(test, { title });
    }
    await decideTo.hide(test, 2);
    await decideTo.remove(test, 3);
    for (const n of [1, 2, 3]) await rate(test, 4, -1, network(n));
  });

  async function refused(statement: string, code: string): Promise<void> {
    const { writes } = test.board.context;
    const error = await writes.query(statement).then(
      () => null,
      (thrown: { code?: string }) => thrown,
    );
    expect(error?.code, statement).to.equal(code);
  }

  const CHECK = '23514';
  const FOREIGN = '23503';
  const FINAL = '23000';

  it('a removal', async () => {
    const gone = `UPDATE message SET removed_at = 1, ${NO_TEXT}`;
    await refused(`${gone} WHERE id = 1`, CHECK);
    await refused(`${gone}, removal = 'removed' WHERE id = 1`, CHECK);
    const by = (decision: number) =>
      `${gone}, removal = 'removed', removed_by = ${decision} WHERE id = 1`;
    await refused(by(99), FOREIGN);
    // Decisions of other messages, and of another kind.
    await refused(by(1), FOREIGN);
    await refused(by(2), FOREIGN);
  });

  it('hiding and restoring', async () => {
    const set = (state: string, by: string) =>
      `UPDATE message SET visibility = '${state}', visibility_by = ${by}
       WHERE id = 1`;
    await refused(set('hidden_by_decision', 'NULL'), CHECK);
    await refused(set('hidden_by_decision', '1'), FOREIGN);
    await refused(set('restored_by_decision', 'NULL'), CHECK);
    const restored = "UPDATE message SET visibility = 'restored_by_decision'";
    await refused(`${restored} WHERE id = 2`, FOREIGN);
  });

  it('the way back to visible', async () => {
    const visible =
      "UPDATE message SET visibility = 'visible', visibility_by = NULL";
    await refused(`${visible} WHERE id = 2`, CHECK);
    await refused(`${visible} WHERE id = 4`, CHECK);
  });

  it('a reinstatement', async () => {
    const back = `UPDATE message SET removed_at = NULL, removal = NULL,
      removed_by = NULL, body = 'x', title = 'x', author = 'x' WHERE id = 3`;
    await refused(back, CHECK);
  });

  it('an erasure', async () => {
    await refused('DELETE FROM sealed_content', CHECK);
    await refused('UPDATE message SET erased_by = 1 WHERE id = 3', FOREIGN);
  });

  it('a second life of a decision', async () => {
    await refused("UPDATE decision SET explanation = 'Else.'", FINAL);
    await refused('DELETE FROM decision WHERE id = 1', FINAL);
    expect(await rows(test).count(Decision)).to.equal(2);
  });

  it('a removal for disagreement, or without an explanation', async () => {
    const insert = (reason: string, explanation: string) =>
      `INSERT INTO decision (id, message_id, action, effect, reason,
         explanation, made_by, operator, decided_at, log_index)
       VALUES (9, 1, 'remove', 'removed', '${reason}', '${explanation}',
         'operator', 'op', 1, 99)`;
    await refused(insert('disagreement', 'I disagree.'), CHECK);
    await refused(insert('spam', ''), CHECK);
    await refused(insert('spam', 'é'.repeat(2001)), CHECK);
  });

  it('an effect that is not the action', async () => {
    await refused(
      `INSERT INTO decision (id, message_id, action, effect, reason,
         explanation, made_by, operator, decided_at, log_index)
       VALUES (9, 1, 'keep', 'removed', 'spam', 'x', 'operator', 'op', 1, 99)`,
      CHECK,
    );
  });
});
