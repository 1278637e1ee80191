import { BASE_URL, type TestBoard } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { freshNetwork } from '../../support/random.js';
import { removeRow } from '../../support/remove.js';
import { expectRefusal, invalid } from '../posting/refusals.js';
import {
  castRating,
  rate,
  ratingTicket,
  scoreOf,
  storedVotes,
} from './rating.js';

describe('POST /api/messages/{id}/votes', () => {
  let topic: number;

  const test = givenBoard({ lifted: true });

  beforeEach(async () => {
    topic = (await publish(test)).message.id;
  });

  it('counts the first, repeats the same, refuses the opposite', async () => {
    for (const vote of [1, -1] as const) {
      const { message } = await publish(test, { reply_to: topic });
      const { id } = message;
      const from = freshNetwork();
      const same = await ratingTicket(test, id, vote, from);
      const another = await ratingTicket(test, id, vote, from);
      const opposite = await ratingTicket(test, id, vote === 1 ? -1 : 1, from);
      const first = await castRating(test, id, same, from).expect(201);
      const counted = { message_id: id, vote, score: vote };
      expect(first.body).to.deep.equal({ ...counted, status: 'published' });
      expect(first.headers['cache-control']).to.equal('no-store');
      const known = { ...counted, status: 'already_voted' };
      for (const send of [same, another]) {
        const again = await castRating(test, id, send, from).expect(200);
        expect(again.body).to.deep.equal(known);
      }
      const refused = await castRating(test, id, opposite, from);
      expectRefusal(refused, { status: 409, error: 'already_voted' });
      expect(refused.body.current).to.deep.equal(known);
      expect(await scoreOf(test, id)).to.equal(vote);
    }
  });

  it('reports the score of now, with the votes of all networks', async () => {
    const first = freshNetwork();
    const send = await ratingTicket(test, topic, 1, first);
    await castRating(test, topic, send, first).expect(201);
    for (const score of [2, 3, 4]) {
      const { body } = await rate(test, topic, 1, freshNetwork());
      expect(body.score).to.equal(score);
    }
    const again = await castRating(test, topic, send, first).expect(200);
    expect(again.body.score).to.equal(4);
  });

  it('refuses a field before it looks for the message', async () => {
    const answer = await castRating(test, 'x', { answer: 'x' });
    expectRefusal(answer, invalid('ticket'));
  });

  it('expires after 600 seconds and says what to do', async () => {
    const from = freshNetwork();
    const inTime = await ratingTicket(test, topic, 1, from);
    const late = await ratingTicket(test, topic, 1, freshNetwork());
    test.clock.advance(600_000);
    await castRating(test, topic, inTime, from).expect(201);
    test.clock.advance(1);
    const expired = await castRating(test, topic, late);
    expectRefusal(expired, { status: 400, error: 'ticket_expired' });
    const { suggested_action: action } = expired.body;
    expect(action.url).to.equal(
      `${BASE_URL}/api/messages/${topic}/votes/preview`,
    );
    expect(action.json_template).to.deep.equal({ vote: 1 });
    expect(await scoreOf(test, topic)).to.equal(1);
  });

  it('belongs to the network that previewed', async () => {
    const [from, elsewhere] = [freshNetwork(), freshNetwork()];
    const send = await ratingTicket(test, topic, 1, from);
    expectRefusal(await castRating(test, topic, send, elsewhere), {
      status: 409,
      error: 'network_changed',
    });
    expect(await scoreOf(test, topic)).to.equal(0);
    await castRating(test, topic, send, from).expect(201);
    // Accepted now: like any receipt it is answered whoever brings the ticket.
    const { body } = await castRating(test, topic, send, elsewhere).expect(200);
    expect(body.status).to.equal('already_voted');
    expect((await rate(test, topic, -1, elsewhere)).status).to.equal(201);
  });

  it('is no rating any more once the message is removed', async () => {
    const [voted, late] = [freshNetwork(), freshNetwork()];
    const { id } = (await publish(test, { reply_to: topic })).message;
    const counted = await ratingTicket(test, id, 1, voted);
    const pending = await ratingTicket(test, id, 1, late);
    await castRating(test, id, counted, voted).expect(201);
    await removeRow(test, id);
    const refused = await castRating(test, id, pending, late);
    expectRefusal(refused, { status: 404, error: 'message_not_found' });
    expect(refused.body.moderation_url).to.equal(
      `${BASE_URL}/api/moderation/${id}`,
    );
    await castRating(test, id, counted, voted).expect(200);
    expect(await storedVotes(test, id)).to.have.length(1);
  });
});

describe('ratings that hide a topic', () => {
  const test = givenBoard({ lifted: true });
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
