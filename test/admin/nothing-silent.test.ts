import { expect } from 'chai';
import { decideTo } from '../support/decide.js';
import { givenBoard } from '../support/hooks.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';

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
  const test = givenBoard({ limits: LIFTED });

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
