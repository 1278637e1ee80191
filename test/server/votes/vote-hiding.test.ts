import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { freshNetwork } from '../../support/fresh-network.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { setVisibility } from '../reading/fixture.js';
import { castRating, rate, ratingTicket } from './rating.js';

describe('ratings that hide a topic', () => {
  const test = givenBoard({ limits: LIFTED });
  let hints: { count: number; stop(): void };

  beforeEach(() => {
    hints = countHints(test);
  });

  afterEach(() => hints.stop());

  async function votes(id: number, ...signs: (1 | -1)[]): Promise<void> {
    for (const sign of signs) {
      const { status } = await rate(test, id, sign, freshNetwork());
      expect(status).to.equal(201);
    }
  }

  async function visibility(id: number) {
    const { body } = await test.as(freshNetwork()).get(`/api/thread/${id}`);
    return body.visibility as { state: string; opening_score: number };
  }

  async function listed(id: number, query = ''): Promise<boolean> {
    const { body } = await test.as(freshNetwork()).get(`/api/threads${query}`);
    return body.data.some((topic: { id: number }) => topic.id === id);
  }

  it('happens at -3, not at -2, and is told once', async () => {
    const { id } = (await publish(test)).message;
    await votes(id, -1, -1);
    expect(await visibility(id)).to.deep.equal({
      state: 'visible',
      opening_score: -2,
      hidden_score_at_most: -3,
    });
    expect(await listed(id)).to.equal(true);
    expect(hints.count).to.equal(0);
    await votes(id, -1);
    expect(await visibility(id)).to.deep.equal({
      state: 'hidden_by_ratings',
      opening_score: -3,
      hidden_score_at_most: -3,
    });
    expect(await listed(id)).to.equal(false);
    expect(await listed(id, '?visibility=hidden')).to.equal(true);
    await votes(id, -1, -1);
    expect(hints.count).to.equal(1);
  });

  it('counts the balance, not the down votes', async () => {
    const { id } = (await publish(test)).message;
    await votes(id, 1, -1, -1, -1, 1, -1);
    expect((await visibility(id)).state).to.equal('visible');
    await votes(id, -1);
    expect((await visibility(id)).state).to.equal('hidden_by_ratings');
  });

  it('is not undone by up votes', async () => {
    const { id } = (await publish(test)).message;
    await votes(id, -1, -1, -1, 1, 1, 1, 1);
    expect(await visibility(id)).to.deep.include({
      state: 'hidden_by_ratings',
      opening_score: 1,
    });
    expect(await listed(id)).to.equal(false);
  });

  it('takes no reply and no topic of a reply along', async () => {
    const { id } = (await publish(test)).message;
    const reply = (await publish(test, { reply_to: id })).message.id;
    await votes(reply, -1, -1, -1, -1);
    expect((await visibility(id)).state).to.equal('visible');
    expect(hints.count).to.equal(0);
  });

  it("happens by a reply's vote as well", async () => {
    const { id } = (await publish(test)).message;
    await votes(id, -1, -1);
    const { vote } = await publish(
      test,
      { reply_to: id, vote: -1 },
      freshNetwork(),
    );
    expect(vote).to.deep.equal({
      message_id: id,
      vote: -1,
      score: -3,
      status: 'published',
    });
    expect((await visibility(id)).state).to.equal('hidden_by_ratings');
    expect(hints.count).to.equal(1);
  });

  it('never follows a recorded restore', async () => {
    const { id } = (await publish(test)).message;
    await votes(id, -1, -1, -1);
    await setVisibility(test, id, 'restored_by_decision');
    await votes(id, -1, -1);
    expect(await visibility(id)).to.deep.equal({
      state: 'visible',
      opening_score: -5,
      hidden_score_at_most: -3,
      restored_by_decision: true,
    });
    // One of the ratings, one of the restore.
    expect(hints.count).to.equal(2);
  });

  it('is told once when many votes arrive together', async () => {
    const { id } = (await publish(test)).message;
    const voters = Array.from({ length: 40 }, freshNetwork);
    const sends = await Promise.all(
      voters.map((from) => ratingTicket(test, id, -1, from)),
    );
    const answers = await Promise.all(
      sends.map((send, at) => castRating(test, id, send, voters[at])),
    );
    const scores = answers.map(({ body }) => body.score as number);
    expect(scores.sort((a, b) => b - a)).to.deep.equal(
      Array.from({ length: 40 }, (_, n) => -1 - n),
    );
    expect(hints.count).to.equal(1);
  });
});

/** Counts the hints of the channel `hidden`. */
function countHints({ board }: TestBoard): { count: number; stop(): void } {
  const { events } = board.context;
  let stopped = false;
  let subscription = events.subscribe('hidden');
  const hints = {
    count: 0,
    stop: () => {
      stopped = true;
      subscription.close();
    },
  };
  const listen = async (): Promise<void> => {
    await subscription.woken;
    if (stopped) return;
    hints.count += 1;
    subscription = events.subscribe('hidden');
    await listen();
  };
  void listen();
  return hints;
}
