import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { boardForAllTests } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish, solve } from '../../support/post.js';
import {
  atOnce,
  draft,
  post,
  type Reply,
  tally,
  ticketFor,
} from '../../support/wire.js';

const NETWORKS = 40;

describe('replies with a vote, and ratings of the same message', () => {
  let test: TestBoard;

  boardForAllTests({ limits: LIFTED }, (made) => {
    test = made;
  });

  async function ratingTicket(id: number, vote: number, from: string) {
    const path = `/api/messages/${id}/votes/preview`;
    const { body } = await post(test.url, path, { vote }, from);
    return { ticket: body.ticket, answer: solve(String(body.challenge)) };
  }

  it('at once from the same networks: one vote each, none in the way', async () => {
    const id = (await publish(test)).message.id;
    const from = (n: number) => `198.18.7.${n}`;
    const sign = (n: number) => (n % 2 === 0 ? 1 : -1);
    const replies = await atOnce(NETWORKS, (n) =>
      ticketFor(test.url, { ...draft(id), vote: sign(n) }, from(n)),
    );
    const ratings = await atOnce(NETWORKS, (n) =>
      ratingTicket(id, -sign(n), from(n)),
    );
    const answers = await atOnce(NETWORKS * 2, (at): Promise<Reply> => {
      const n = at >> 1;
      return at % 2 === 0
        ? post(test.url, '/write/publish', replies[n] ?? {}, from(n))
        : post(
            test.url,
            `/api/messages/${id}/votes`,
            ratings[n] ?? {},
            from(n),
          );
    });
    const published = answers.filter((_, at) => at % 2 === 0);
    expect(tally(published)).to.deep.equal({ 201: NETWORKS });
    const rated = answers.filter((_, at) => at % 2 === 1);
    let expected = 0;
    rated.forEach(({ status, body }, n) => {
      const { vote } = published[n]?.body ?? {};
      const reply = vote as { status: string; vote: number };
      if (status === 201) {
        expect(reply.status).to.equal('already_voted');
        expect(reply.vote).to.equal(-sign(n));
        expected -= sign(n);
      } else {
        expect([status, body.error]).to.deep.equal([409, 'already_voted']);
        expect(reply.status).to.equal('published');
        expected += sign(n);
      }
    });
    const { body } = await test.as().get(`/api/messages/${id}`);
    expect(body.score).to.equal(expected);
    const [{ votes, sum } = { votes: 0, sum: 0 }] =
      await test.board.context.reads.query<{ votes: number; sum: number }>(
        `SELECT count(*)::int AS votes, sum(value)::int AS sum FROM vote
         WHERE message_id = $1`,
        [id],
      );
    expect([votes, sum]).to.deep.equal([NETWORKS, expected]);
  });
});
