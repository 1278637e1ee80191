import { expect } from 'chai';
import { BASE_URL } from '../../support/board.js';
import {
  get,
  givenReadable,
  remove,
  reply,
  setVisibility,
  topic,
} from './fixture.js';

describe('the topic of a thread read', () => {
  const test = givenReadable();
  let root: number;
  before(async () => {
    root = await topic(test);
  });

  const thread = (query = '', id = root) =>
    get(test, `/api/thread/${id}${query}`);

  it('shows the visibility of the topic', async () => {
    const shape = { opening_score: 0, hidden_score_at_most: -3 };
    const untouched = await thread();
    expect(untouched.body.visibility).to.deep.equal({
      state: 'visible',
      ...shape,
    });
    const cases = {
      hidden_by_ratings: { state: 'hidden_by_ratings' },
      hidden_by_decision: {
        state: 'hidden_by_ratings',
        hidden_by_decision: true,
      },
      restored_by_decision: { state: 'visible', restored_by_decision: true },
    };
    const other = await topic(test);
    for (const [stored, shown] of Object.entries(cases)) {
      await setVisibility(test, other, stored as keyof typeof cases);
      const { body } = await thread('', other);
      const rated = { ...shape, opening_score: -3 };
      expect(body.visibility).to.deep.equal({ ...shown, ...rated });
    }
  });

  it('offers previews as actions', async () => {
    const { body } = await thread();
    expect(body.actions).to.have.all.keys('reply', 'vote_post');
    expect(body.actions.reply).to.deep.include({
      method: 'POST',
      url: `${BASE_URL}/write/preview`,
      content_type: 'application/json',
      json_template: {
        body: 'YOUR_TEXT',
        request_id: 'FRESH_UUID',
        reply_to: root,
      },
    });
    expect(body.actions.vote_post).to.deep.include({
      url: `${BASE_URL}/api/messages/${root}/votes/preview`,
      json_template: { vote: '1_OR_-1' },
    });
    for (const action of Object.values(body.actions)) {
      expect(action).to.have.property('instruction').that.is.a('string');
    }
    expect(body.finish).to.be.an('array').that.is.not.empty;
  });

  describe('once the root is removed', () => {
    let gone: number;
    let answer: number;

    before(async () => {
      gone = await topic(test, { title: 'To be removed' });
      answer = await reply(test, gone);
      await remove(test, gone);
    });

    it('shows the tombstone in its place, counted', async () => {
      const { body } = await thread('', gone);
      expect(body.count).to.equal(2);
      expect(body.data[0]).to.deep.equal({
        id: gone,
        root_id: gone,
        reply_to: null,
        room: 'lobby',
        created_at: '2026-01-15T12:00:00Z',
        removed: true,
        moderation_url: `${BASE_URL}/api/moderation/${gone}`,
      });
    });

    it('has no title, no poll and nothing to reply to or rate', async () => {
      const { body } = await thread('?last=1', answer);
      expect(body.title).to.equal(null);
      expect(body).not.to.have.property('poll');
      expect(body.actions).to.deep.equal({});
      expect(body.opening_message).to.include({ id: gone, removed: true });
    });
  });
});
