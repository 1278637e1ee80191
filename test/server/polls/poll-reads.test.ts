import { Poll } from '../../../server/db/entities/poll.js';
import type { TallyResult } from '../../../server/db/states.js';
import { outcomeOf } from '../../../server/polls/poll-view.js';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { rows } from '../../support/rows.js';
import { setVisibility } from '../reading/fixture.js';
import {
  type Answer,
  HOUR_MS,
  type Opened,
  openPoll,
  PROPOSAL,
  read,
  SURVEY,
  UNLIMITED,
  votes,
} from './polling.js';

function idsOf({ body }: Answer): number[] {
  return body.data.map(({ id }: { id: number }) => id);
}

describe('reading polls', () => {
  const test = givenBoard({ limits: UNLIMITED });
  let survey: Opened;
  let proposal: Opened;

  before(async () => {
    survey = await openPoll(test);
    proposal = await openPoll(test, { ...PROPOSAL, duration_hours: 24 });
  });

  const voting = (id: number) => ({
    method: 'POST',
    url: `${BASE_URL}/api/polls/${id}/votes/preview`,
    content_type: 'application/json',
    json_template: { option: 'EXACT_OPTION', request_id: 'FRESH_UUID' },
  });

  it('shows one with the members of spec/board.md §6.3', async () => {
    await votes(test, survey.id, ['b']);
    const answer = await read(test, `/api/polls/${survey.id}`);
    expect(answer.status).to.equal(200);
    const { community, content_trust, voting: action, ...poll } = answer.body;
    expect(poll).to.deep.equal({
      id: survey.id,
      root_id: survey.rootId,
      type: 'survey',
      question: SURVEY.question,
      options: SURVEY.options,
      state: 'open',
      close_reason: null,
      created_at: '2026-01-15T12:00:00Z',
      closes_at: '2026-02-14T12:00:00Z',
      tally: { counts: [0, 1, 0], voters: 1, result: null, winner: null },
      decision: null,
      url: `${BASE_URL}/t/${survey.rootId}`,
    });
    expect(action).to.deep.include(voting(survey.id));
    expect(content_trust).to.equal('untrusted_public_data');
    expect(community.rules_url).to.equal(`${BASE_URL}/rules.md`);
  });

  it('shows a proposal with its kind and its fixed options', async () => {
    const { body } = await read(test, `/api/polls/${proposal.id}`);
    expect(body.type).to.equal('proposal');
    expect(body.proposal).to.deep.equal(PROPOSAL.proposal);
    expect(body.options).to.deep.equal(['support', 'oppose', 'abstain']);
    expect(body.tally.counts).to.deep.equal([0, 0, 0]);
    expect(body.closes_at).to.equal('2026-01-16T12:00:00Z');
  });

  it('shows a decision that was recorded', async () => {
    const { id } = await openPoll(test, PROPOSAL);
    const decision = {
      outcome: 'accepted',
      explanation: 'Agreed.',
      decided_by: 'operator',
    };
    const decided = { ...decision, decided_at: test.clock.now() };
    await rows(test).update(Poll, { id }, { decision: decided });
    const { body } = await read(test, `/api/polls/${id}`);
    expect(body.decision).to.deep.equal({
      ...decision,
      decided_at: '2026-01-15T12:00:00Z',
    });
  });

  it('is part of its thread, with the ballot among the actions', async () => {
    const path = `/api/thread/${survey.rootId}`;
    const { body: alone } = await read(test, `/api/polls/${survey.id}`);
    const { community: _c, content_trust: _t, ...poll } = alone;
    for (const query of ['', '?last=5', '?before=999']) {
      const { body } = await read(test, path + query);
      expect(body.poll).to.deep.equal(poll);
      expect(body.actions).to.have.all.keys('reply', 'vote_post', 'vote_poll');
      expect(body.actions.vote_poll).to.deep.include(voting(survey.id));
    }
    const empty = await read(test, `${path}?since=${survey.rootId}`);
    expect(empty.body).not.to.have.any.keys('poll', 'actions');
  });

  it('has no ballot among the actions once it is closed', async () => {
    const { id, rootId } = await openPoll(test, {
      ...SURVEY,
      duration_hours: 24,
    });
    const before = test.clock.now();
    test.clock.advance(24 * HOUR_MS);
    const { body } = await read(test, `/api/thread/${rootId}`);
    expect(body.poll.state).to.equal('closed');
    expect(body.poll.voting).to.equal(null);
    expect(body.actions).to.have.all.keys('reply', 'vote_post');
    const one = await read(test, `/api/polls/${id}`);
    expect(one.body.voting).to.equal(null);
    test.clock.set(before);
  });
});

describe('GET /api/polls', () => {
  const test = givenBoard({ limits: UNLIMITED });
  let polls: Opened[];

  before(async () => {
    polls = [];
    for (let n = 0; n < 25; n += 1) {
      const duration_hours = n % 5 === 0 ? 24 : 720;
      polls.push(await openPoll(test, { ...SURVEY, duration_hours }));
    }
  });

  it('lists the newest first, 20 unless asked otherwise', async () => {
    const all = polls.map(({ id }) => id).reverse();
    const first = await read(test, '/api/polls');
    expect(idsOf(first)).to.deep.equal(all.slice(0, 20));
    expect(first.body).to.deep.include({
      count: 20,
      cursor: all[19],
      has_more: true,
      next: `${BASE_URL}/api/polls?limit=20&cursor=${all[19]}`,
      content_trust: 'untrusted_public_data',
    });
    expect(idsOf(await read(test, '/api/polls?limit=100'))).to.deep.equal(all);
  });

  it('leads through all of them, by next and by cursor', async () => {
    const all = polls.map(({ id }) => id).reverse();
    const seen: number[] = [];
    let next: string | null = '/api/polls?limit=7';
    while (next !== null) {
      const page: Answer = await read(test, next.replace(BASE_URL, ''));
      const { count, cursor, has_more } = page.body;
      seen.push(...idsOf(page));
      expect(count).to.equal(idsOf(page).length);
      expect(cursor).to.equal(seen.at(-1));
      next = page.body.next;
      expect(has_more).to.equal(next !== null);
      const same = await read(test, `/api/polls?limit=7&cursor=${cursor}`);
      const after = all.slice(seen.length, seen.length + 7);
      expect(idsOf(same)).to.deep.equal(after);
    }
    expect(seen).to.deep.equal(all);
    const end = await read(test, '/api/polls?cursor=1');
    expect(end.body).to.deep.include({ count: 0, cursor: 1, next: null });
  });

  it('selects a topic', async () => {
    const { id, rootId } = polls[3] ?? { id: 0, rootId: 0 };
    const one = await read(test, `/api/polls?root_id=${rootId}`);
    expect(idsOf(one)).to.deep.equal([id]);
    const none = await read(test, '/api/polls?root_id=999999');
    expect(none.body).to.deep.include({ count: 0, cursor: 0, has_more: false });
  });

  it('leaves hidden topics out, but not from whoever names one', async () => {
    const { id, rootId } = polls[7] ?? { id: 0, rootId: 0 };
    await setVisibility(test, rootId, 'hidden_by_ratings');
    const listed = idsOf(await read(test, '/api/polls?limit=100'));
    expect(listed).to.have.length(24).and.not.include(id);
    const named = await read(test, `/api/polls?root_id=${rootId}`);
    expect(idsOf(named)).to.deep.equal([id]);
    expect((await read(test, `/api/polls/${id}`)).status).to.equal(200);
    await setVisibility(test, rootId, 'restored_by_decision');
    const again = idsOf(await read(test, '/api/polls?limit=100'));
    expect(again).to.include(id);
  });

  it('selects the open ones by the clock', async () => {
    test.clock.advance(24 * HOUR_MS);
    const open = await read(test, '/api/polls?state=open&limit=15');
    expect(idsOf(open)).to.have.length(15);
    expect(open.body.next).to.equal(
      `${BASE_URL}/api/polls?state=open&limit=15&cursor=${open.body.cursor}`,
    );
    const rest = await read(test, open.body.next.replace(BASE_URL, ''));
    expect(idsOf(rest)).to.have.length(5);
    for (const { state } of [...open.body.data, ...rest.body.data]) {
      expect(state).to.equal('open');
    }
  });
});

/** Accepted ballots by option → result and the place of the winner. */
const TABLE: [number[], TallyResult, number | null][] = [
  [[0, 0], 'insufficient_votes', null],
  [[2, 0], 'insufficient_votes', null],
  [[1, 1], 'insufficient_votes', null],
  [[3, 0], 'selected', 0],
  [[0, 3], 'selected', 1],
  [[2, 1], 'selected', 0],
  [[1, 1, 1], 'tie', null],
  [[2, 2], 'tie', null],
  [[2, 2, 1], 'tie', null],
  [[1, 2, 2, 0], 'tie', null],
  [[2, 2, 3], 'selected', 2],
  [[1, 0, 0, 0, 0, 0, 0, 2], 'selected', 7],
  [[100, 99, 99], 'selected', 0],
];

describe('the outcome of a poll', () => {
  for (const [counts, result, winner] of TABLE) {
    it(`of ${counts.join(', ')} is ${result}`, () => {
      const voters = counts.reduce((sum, count) => sum + count, 0);
      expect(outcomeOf(counts, voters, 3)).to.deep.equal({ result, winner });
    });
  }

  it('follows survey_votes_min', () => {
    expect(outcomeOf([1, 0], 1, 1).result).to.equal('selected');
    expect(outcomeOf([3, 0], 3, 4).result).to.equal('insufficient_votes');
  });
});
