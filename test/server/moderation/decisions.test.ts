import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { type Entry, parseEntry } from '../../../protocol/entry.js';
import type { BoardError } from '../../../server/errors.js';
import type { TestBoard } from '../../support/board.js';
import { decideTo, RULING } from '../../support/decide.js';
import { boardForEachTest } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { readerOf, readLeaves } from '../../support/log-reader.js';
import { publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { network, rate } from '../votes/rating.js';

const DAY_MS = 86_400_000;

describe('A decision', () => {
  let test: TestBoard;

  boardForEachTest({ limits: LIFTED, env: { ROLES: 'api' } }, async (made) => {
    test = made;
    await publish(test, { title: 'A topic' });
    await publish(test, { reply_to: 1 });
  });

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
    const removed = await decideTo.remove(test, 2);
    const erased = await decideTo.erase(test, 2);
    const hidden = await decideTo.hide(test, 1);
    const log = await entries();
    const explain = createHash('sha256').update(RULING.explanation).digest();
    const entry = log[removed.log_index];
    if (entry?.type !== 'remove') throw new Error('no remove entry');
    expect(entry).to.include({ id: 2, by: 'operator', reason: 'spam' });
    expect(Buffer.from(entry.explain ?? [])).to.deep.equal(explain);
    const post = log.find((each) => each.type === 'post' && each.id === 2);
    expect(post).not.to.equal(undefined);
    const actions = [erased, hidden].map(({ log_index: index }) => {
      const each = log[index];
      return each?.type === 'decision' ? each.action : each?.type;
    });
    expect(actions).to.deep.equal(['erase', 'hide']);
  });

  it('to erase a visible message is logged as a removal', async () => {
    const erased = await decideTo.erase(test, 2, { reason: 'legal' });
    expect(erased.action).to.equal('erase');
    const entry = (await entries())[erased.log_index];
    expect(entry).to.include({ type: 'remove', id: 2, reason: 'legal' });
    expect(await stateOf(2)).to.equal('erased');
    const refused = await refusal(decideTo.reinstate(test, 2));
    expect(refused.code).to.equal('content_removed');
  });

  it('shows every state of a message', async () => {
    expect(await stateOf(1)).to.equal('visible');
    for (const n of [1, 2, 3]) await rate(test, 1, -1, network(n));
    expect(await stateOf(1)).to.equal('hidden_by_ratings');
    await decideTo.restore(test, 1, { reason: 'rating_visibility' });
    expect(await stateOf(1)).to.equal('restored');
    await decideTo.hide(test, 1);
    expect(await stateOf(1)).to.equal('hidden_by_decision');
    await decideTo.remove(test, 1);
    expect(await stateOf(1)).to.equal('removed');
    await decideTo.reinstate(test, 1);
    expect(await stateOf(1)).to.equal('hidden_by_decision');
    await decideTo.remove(test, 1);
    await decideTo.erase(test, 1);
    expect(await stateOf(1)).to.equal('erased');
    expect(await stateOf(2)).to.equal('visible');
  });

  it('to restore holds against later down votes', async () => {
    for (const n of [1, 2, 3]) await rate(test, 1, -1, network(n));
    await decideTo.restore(test, 1);
    for (const n of [4, 5]) await rate(test, 1, -1, network(n));
    const { body } = await test.as().get('/api/thread/1');
    expect(body.visibility).to.deep.equal({
      state: 'visible',
      opening_score: -5,
      hidden_score_at_most: -3,
      restored_by_decision: true,
    });
    const { body: threads } = await test.as().get('/api/threads');
    expect(threads.count).to.equal(1);
  });

  it('to hide has all effects of hiding by ratings', async () => {
    await decideTo.hide(test, 1);
    const { body } = await test.as().get('/api/thread/1');
    expect(body.visibility).to.deep.equal({
      state: 'hidden_by_ratings',
      opening_score: 0,
      hidden_score_at_most: -3,
      hidden_by_decision: true,
    });
    for (const path of ['/api/threads', '/api/updates', '/api/search?q=body']) {
      expect((await test.as().get(path)).body.count, path).to.equal(0);
    }
    const brief = await test.as().get('/api/brief');
    expect(brief.body.discovery.active_threads.count).to.equal(0);
  });

  it('that undoes another supersedes it', async () => {
    const removed = await decideTo.remove(test, 2);
    const back = await decideTo.reinstate(test, 2);
    const hidden = await decideTo.hide(test, 1);
    const restored = await decideTo.restore(test, 1);
    expect(back.supersedes).to.equal(removed.id);
    expect(restored.supersedes).to.equal(hidden.id);
    expect([removed.id, back.id, hidden.id, restored.id]).to.deep.equal([
      1, 2, 3, 4,
    ]);
  });

  it('is refused with the one that stands when it comes second', async () => {
    const first = await decideTo.remove(test, 1);
    for (const again of [
      decideTo.remove(test, 1),
      decideTo.hide(test, 1),
      decideTo.restore(test, 1),
    ]) {
      const error = await refusal(again);
      expect(error.code).to.equal('decision_conflict');
      expect(error.extras.current).to.deep.equal(first);
    }
    const early = await refusal(decideTo.reinstate(test, 2));
    expect(early.code).to.equal('decision_conflict');
    expect(early.extras.current).to.equal(null);
  });

  it('of two at once happens once', async () => {
    const both = await Promise.allSettled([
      decideTo.remove(test, 2),
      decideTo.remove(test, 2),
    ]);
    const states = both.map(({ status }) => status).sort();
    expect(states).to.deep.equal(['fulfilled', 'rejected']);
  });

  it('about no message, or to hide a reply, is refused', async () => {
    const unknown = await refusal(decideTo.remove(test, 99));
    expect(unknown.code).to.equal('message_not_found');
    const reply = await refusal(decideTo.hide(test, 2));
    expect(reply.code).to.equal('invalid_input');
  });

  it('settles the reports it names', async () => {
    const ids = [randomUUID(), randomUUID()];
    for (const request_id of ids) {
      await test
        .as()
        .post('/api/reports')
        .send({ request_id, kind: 'report', message_id: 2, reason: 'spam' })
        .expect(201);
    }
    await decideTo.remove(test, 2, { reportIds: ids.slice(0, 1) });
    const settled = await test.as().get(`/api/reports/${ids[0]}`);
    expect(settled.body).to.include({
      status: 'resolved',
      decision_url: 'http://board.test/api/moderation/2',
    });
    const open = await test.as().get(`/api/reports/${ids[1]}`);
    expect(open.body.status).to.equal('received');
    expect(open.body).not.to.have.property('decision_url');
  });

  it('to reinstate is possible for 30 days', async () => {
    const { jobs } = test.board.background;
    await decideTo.remove(test, 1);
    await decideTo.remove(test, 2);
    test.clock.advance(30 * DAY_MS - 1);
    await jobs.runOnce('sweep');
    await decideTo.reinstate(test, 1);
    test.clock.advance(1);
    // The job that destroys the text is yet to come.
    const over = await refusal(decideTo.reinstate(test, 2));
    expect(over.code).to.equal('content_removed');
    expect(await stateOf(2)).to.equal('removed');
    test.clock.advance(DAY_MS);
    await jobs.runOnce('sweep');
    expect(await stateOf(1)).to.equal('visible');
    expect(await stateOf(2)).to.equal('erased');
    const late = await refusal(decideTo.reinstate(test, 2));
    expect(late.code).to.equal('content_removed');
    const gone = await refusal(decideTo.erase(test, 2));
    expect(gone.code).to.equal('decision_conflict');
  });
});
