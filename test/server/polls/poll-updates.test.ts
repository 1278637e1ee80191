import { expect } from 'chai';
import { closeDuePolls } from '../../../server/polls/close-poll.js';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { expectRefusal, invalid } from '../posting/refusals.js';
import {
  type Answer,
  HOUR_MS,
  openPoll,
  type PollEvent,
  read,
  SURVEY,
  UNLIMITED,
  votes,
} from './polling.js';

const PATH = '/api/polls/updates';

function kindsOf({ body }: Answer): string[] {
  return body.data.map(({ kind }: PollEvent) => kind);
}

describe('GET /api/polls/updates', () => {
  const test = givenBoard({ limits: UNLIMITED });
  let first: number;
  let second: number;

  before(async () => {
    const short = { ...SURVEY, duration_hours: 24 };
    first = (await openPoll(test, short)).id;
    test.clock.advance(1000);
    second = (await openPoll(test)).id;
    await votes(test, first, ['a']);
    await votes(test, second, ['b']);
    await votes(test, first, ['a', 'c']);
    test.clock.advance(24 * HOUR_MS);
    await closeDuePolls(test.board.context);
  });

  it('tells what happened, in order and without gaps', async () => {
    const answer = await read(test, `${PATH}?limit=100`);
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(answer.headers).not.to.have.property('etag');
    const { data, community, ...rest } = answer.body;
    expect(rest).to.deep.equal({
      count: 7,
      cursor: 7,
      has_more: false,
      next: null,
      content_trust: 'untrusted_public_data',
    });
    expect(community.rules_url).to.equal(`${BASE_URL}/rules.md`);
    const start = Date.UTC(2026, 0, 15, 12);
    const time = (seconds: number) =>
      new Date(start + seconds * 1000).toISOString().replace('.000Z', 'Z');
    const DAY = 24 * 3600;
    const counted = (option: string, ...counts: number[]) => {
      const voters = counts.reduce((sum, count) => sum + count, 0);
      return { option, counts, voters };
    };
    const outcome = { result: 'selected', winner: 'a', counts: [2, 0, 1] };
    const due = [
      [first, 'opened', 0, { closes_at: time(DAY) }],
      [second, 'opened', 1, { closes_at: time(30 * DAY + 1) }],
      [first, 'vote_accepted', 1, counted('a', 1, 0, 0)],
      [second, 'vote_accepted', 1, counted('b', 0, 1, 0)],
      [first, 'vote_accepted', 1, counted('a', 2, 0, 0)],
      [first, 'vote_accepted', 1, counted('c', 2, 0, 1)],
      [first, 'closed', DAY + 1, outcome],
    ] as const;
    expect(data).to.deep.equal(
      due.map(([poll_id, kind, seconds, it], at) => ({
        ...{ id: at + 1, poll_id, root_id: poll_id === first ? 1 : 2, kind },
        ...{ created_at: time(seconds), data: it },
      })),
    );
  });

  it('selects one poll and goes on from a cursor', async () => {
    const one = await read(test, `${PATH}?poll_id=${second}`);
    expect(kindsOf(one)).to.deep.equal(['opened', 'vote_accepted']);
    expect(one.body.cursor).to.equal(4);
    const later = await read(test, `${PATH}?since=5`);
    expect(kindsOf(later)).to.deep.equal(['vote_accepted', 'closed']);
    const unknown = await read(test, `${PATH}?poll_id=999`);
    expect(unknown.body).to.deep.include({ count: 0, cursor: 0 });
  });

  it('pages by limit and next', async () => {
    const page = await read(test, `${PATH}?limit=3&poll_id=${first}`);
    expect(page.body).to.deep.include({
      count: 3,
      cursor: 5,
      has_more: true,
      next: `${BASE_URL}${PATH}?since=5&poll_id=${first}&limit=3`,
    });
    const rest = await read(test, page.body.next.replace(BASE_URL, ''));
    expect(kindsOf(rest)).to.deep.equal(['vote_accepted', 'closed']);
    expect(rest.body.next).to.equal(null);
    const waiting = await read(test, `${PATH}?limit=1&wait=25`);
    expect(waiting.body.next).to.equal(
      `${BASE_URL}${PATH}?since=1&limit=1&wait=25`,
    );
  });

  it('keeps the cursor that was sent when there is nothing', async () => {
    for (const since of [7, 8, 999_999_999_999_999]) {
      const { status, body } = await read(test, `${PATH}?since=${since}`);
      expect(status).to.equal(200);
      expect(body).to.deep.include({
        data: [],
        count: 0,
        cursor: since,
        has_more: false,
        next: null,
      });
    }
  });

  it('refuses what is no value of a parameter', async () => {
    for (const [query, field] of [
      ['since=-1', 'since'],
      ['since=01', 'since'],
      ['wait=26', 'wait'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['poll_id=x', 'poll_id'],
      ['since=1&since=1', 'since'],
    ] as const) {
      const answer = await read(test, `${PATH}?${query}`);
      expectRefusal(answer, invalid(field));
    }
  });
});
