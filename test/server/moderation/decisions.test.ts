import { createHash } from 'node:crypto';
import { type Entry, parseEntry } from '../../../protocol/entry.js';
import { Decision } from '../../../server/db/entities/decision.js';
import type { BoardError } from '../../../server/errors.js';
import { decideTo, RULING } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { readerOf, readLeaves } from '../../support/log-reader.js';
import { publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { network, rate } from '../votes/rating.js';

const DAY_MS = 86_400_000;

describe('A decision', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });
  let topic: number;
  let reply: number;

  beforeEach(async () => {
    topic = (await publish(test, { title: 'A topic' })).message.id;
    reply = (await publish(test, { reply_to: topic })).message.id;
  });

  const rateDown = async (...networks: number[]) => {
    for (const n of networks) await rate(test, topic, -1, network(n));
  };

  async function entries(): Promise<Entry[]> {
    const reader = readerOf(test.url);
    const size = Number((await reader.text('/log/checkpoint')).split('\n')[1]);
    return (await readLeaves(reader, size)).map((leaf) => {
      const entry = parseEntry(leaf);
      if (!entry.ok || entry.value.type === 'unknown') throw new Error(leaf);
      return entry.value;
    });
  }

  async function refusal(work: Promise<unknown>): Promise<BoardError> {
    return await work.then(
      () => {
        throw new Error('it was not refused');
      },
      (error: BoardError) => error,
    );
  }

  const stateOf = async (id: number): Promise<string> =>
    (await test.as().get(`/api/moderation/${id}`)).body.state;

  it('stands in the log where its row says, with the explanation hashed', async () => {
    const removed = await decideTo.remove(test, reply);
    const erased = await decideTo.erase(test, reply);
    const hidden = await decideTo.hide(test, topic);
    const log = await entries();
    const explain = createHash('sha256').update(RULING.explanation).digest();
    const entry = log[removed.log_index];
    if (entry?.type !== 'remove') throw new Error('no remove entry');
    expect(entry).to.include({ id: reply, by: 'operator', reason: 'spam' });
    expect(Buffer.from(entry.explain ?? [])).to.deep.equal(explain);
    const post = log.find((each) => each.type === 'post' && each.id === reply);
    expect(post).not.to.equal(undefined);
    const actions = [erased, hidden].map(({ log_index: index }) => {
      const each = log[index];
      return each?.type === 'decision' ? each.action : each?.type;
    });
    expect(actions).to.deep.equal(['erase', 'hide']);
  });

  it('to erase a visible message is logged as a removal', async () => {
    const erased = await decideTo.erase(test, reply, { reason: 'legal' });
    expect(erased.action).to.equal('erase');
    const entry = (await entries())[erased.log_index];
    expect(entry).to.include({ type: 'remove', id: reply, reason: 'legal' });
    expect(await stateOf(reply)).to.equal('erased');
    const refused = await refusal(decideTo.reinstate(test, reply));
    expect(refused.code).to.equal('content_removed');
  });

  it('shows every state of a message', async () => {
    expect(await stateOf(topic)).to.equal('visible');
    await rateDown(1, 2, 3);
    expect(await stateOf(topic)).to.equal('hidden_by_ratings');
    await decideTo.restore(test, topic, { reason: 'rating_visibility' });
    expect(await stateOf(topic)).to.equal('restored');
    await decideTo.hide(test, topic);
    expect(await stateOf(topic)).to.equal('hidden_by_decision');
    await decideTo.remove(test, topic);
    expect(await stateOf(topic)).to.equal('removed');
    await decideTo.reinstate(test, topic);
    expect(await stateOf(topic)).to.equal('hidden_by_decision');
    await decideTo.remove(test, topic);
    await decideTo.erase(test, topic);
    expect(await stateOf(topic)).to.equal('erased');
    expect(await stateOf(reply)).to.equal('visible');
  });

  it('to restore holds against later down votes', async () => {
    await rateDown(1, 2, 3);
    await decideTo.restore(test, topic);
    await rateDown(4, 5);
    const { body } = await test.as().get(`/api/thread/${topic}`);
    expect(body.visibility).to.deep.equal({
      state: 'visible',
      opening_score: -5,
      hidden_score_at_most: -3,
      restored_by_decision: true,
    });
    const { body: threads } = await test.as().get('/api/threads');
    expect(threads.data[0].id).to.equal(topic);
  });

  it('to hide has all effects of hiding by ratings', async () => {
    await decideTo.hide(test, topic);
    const { body } = await test.as().get(`/api/thread/${topic}`);
    expect(body.visibility).to.deep.equal({
      state: 'hidden_by_ratings',
      opening_score: 0,
      hidden_score_at_most: -3,
      hidden_by_decision: true,
    });
    const since = topic - 1;
    for (const path of [
      '/api/threads',
      `/api/updates?since=${since}`,
      '/api/search?q=body',
    ]) {
      const { data } = (await test.as().get(path)).body;
      const roots = data.map((it: { root_id?: number; id: number }) => [
        ...[it.id, it.root_id],
      ]);
      expect(roots.flat(), path).not.to.include(topic);
    }
    const brief = await test.as().get('/api/brief');
    const { data: active } = brief.body.discovery.active_threads;
    const ids = active.map(({ id }: { id: number }) => id);
    expect(ids).not.to.include(topic);
  });

  it('that undoes another supersedes it', async () => {
    const removed = await decideTo.remove(test, reply);
    const back = await decideTo.reinstate(test, reply);
    const hidden = await decideTo.hide(test, topic);
    const restored = await decideTo.restore(test, topic);
    expect(back.supersedes).to.equal(removed.id);
    expect(restored.supersedes).to.equal(hidden.id);
    const ids = [removed.id, back.id, hidden.id, restored.id];
    expect(ids).to.deep.equal([0, 1, 2, 3].map((n) => removed.id + n));
  });

  it('is refused with the one that stands when it comes second', async () => {
    const first = await decideTo.remove(test, topic);
    for (const again of [
      decideTo.remove(test, topic),
      decideTo.hide(test, topic),
      decideTo.restore(test, topic),
    ]) {
      const error = await refusal(again);
      expect(error.code).to.equal('decision_conflict');
      expect(error.extras.current).to.deep.equal(first);
    }
    const early = await refusal(decideTo.reinstate(test, reply));
    expect(early.code).to.equal('decision_conflict');
    expect(early.extras.current).to.equal(null);
  });

  it('about no message, or to hide a reply, is refused', async () => {
    const unknown = await refusal(decideTo.remove(test, 99_999));
    expect(unknown.code).to.equal('message_not_found');
    const hidden = await refusal(decideTo.hide(test, reply));
    expect(hidden.code).to.equal('invalid_input');
  });

  it('settles the reports it names', async () => {
    const ids = [randomUUID(), randomUUID()];
    for (const request_id of ids) {
      await test
        .post('/api/reports', {
          request_id,
          kind: 'report',
          message_id: reply,
          reason: 'spam',
        })
        .expect(201);
    }
    await decideTo.remove(test, reply, { reportIds: ids.slice(0, 1) });
    const settled = await test.as().get(`/api/reports/${ids[0]}`);
    expect(settled.body).to.include({
      status: 'resolved',
      decision_url: `http://board.test/api/moderation/${reply}`,
    });
    const open = await test.as().get(`/api/reports/${ids[1]}`);
    expect(open.body.status).to.equal('received');
    expect(open.body).not.to.have.property('decision_url');
  });

  it('to reinstate is possible for 30 days', async () => {
    const { jobs } = test.board.background;
    await decideTo.remove(test, topic);
    await decideTo.remove(test, reply);
    test.clock.advance(30 * DAY_MS - 1);
    await jobs.runOnce('sweep');
    await decideTo.reinstate(test, topic);
    test.clock.advance(1);
    // The job that destroys the text is yet to come.
    const over = await refusal(decideTo.reinstate(test, reply));
    expect(over.code).to.equal('content_removed');
    expect(await stateOf(reply)).to.equal('removed');
    test.clock.advance(DAY_MS);
    await jobs.runOnce('sweep');
    expect(await stateOf(topic)).to.equal('visible');
    expect(await stateOf(reply)).to.equal('erased');
    const late = await refusal(decideTo.reinstate(test, reply));
    expect(late.code).to.equal('content_removed');
    const gone = await refusal(decideTo.erase(test, reply));
    expect(gone.code).to.equal('decision_conflict');
  });
});

const NO_TEXT = `body = NULL, title = NULL, author = NULL, salt = NULL,
  text_key = NULL, link_hosts = NULL`;

describe('The database refuses, without a decision that says so,', () => {
  const test = givenBoard({ lifted: true });

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
