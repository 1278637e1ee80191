import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { freshNetwork, randomUUID } from '../../support/random.js';
import { removeRow } from '../../support/remove.js';
import { expectRefusal, invalid } from '../posting/refusals.js';
import {
  HOUR_MS,
  type Opened,
  openPoll,
  PROPOSAL,
  previewBallot,
  SURVEY,
  UNLIMITED,
  vote,
} from './polling.js';

const MEMBERS =
  'status request_id public_ballot challenge challenge_instruction ticket publish expires_at community';

describe('POST /api/polls/{id}/votes/preview', () => {
  const test = givenBoard({ limits: UNLIMITED });
  let poll: Opened;

  before(async () => {
    poll = await openPoll(test);
  });

  it('shows a ballot with exactly the members of spec/board.md §6.1', async () => {
    const id = randomUUID();
    const { status, body, headers } = await previewBallot(test, poll.id, {
      option: 'b',
      request_id: id.toUpperCase(),
    });
    expect(status).to.equal(200);
    expect(Object.keys(body).join(' ')).to.equal(MEMBERS);
    expect(body.status).to.equal('preview_only_nothing_published');
    expect(body.request_id).to.equal(id);
    expect(body.public_ballot).to.deep.equal({ poll_id: poll.id, option: 'b' });
    expect(body.publish).to.deep.equal({
      method: 'POST',
      url: `${BASE_URL}/api/polls/${poll.id}/votes`,
      content_type: 'application/json',
      json_template: { ticket: body.ticket, answer: 'YOUR_ANSWER' },
    });
    expect(body.expires_at).to.equal('2026-01-15T12:10:00Z');
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers).not.to.have.any.keys('etag', 'access-control-allow-origin');
  });

  it('takes one exact option, code point by code point', async () => {
    const options = ['é', 'Yes', ' no'];
    const { id } = await openPoll(test, { question: 'Q?', options });
    for (const option of options) {
      const send = { option, request_id: randomUUID() };
      const { body } = await previewBallot(test, id, send).expect(200);
      expect(body.public_ballot.option).to.equal(option);
    }
    for (const option of ['e\u0301', 'yes', 'no', 'Yes ', '', '0']) {
      const send = { option, request_id: randomUUID() };
      expectRefusal(await previewBallot(test, id, send), invalid('option'));
    }
  });

  it('knows the fixed options of a proposal', async () => {
    const { id } = await openPoll(test, PROPOSAL);
    for (const option of ['support', 'oppose', 'abstain']) {
      const send = { option, request_id: randomUUID() };
      expect((await previewBallot(test, id, send)).status).to.equal(200);
    }
  });

  it('wants a UUID as request_id', async () => {
    const send = { option: 'a', request_id: 'x' };
    expectRefusal(
      await previewBallot(test, poll.id, send),
      invalid('request_id'),
    );
  });

  it('is 404 where no poll is, or its topic is removed', async () => {
    const send = { option: 'a', request_id: randomUUID() };
    const refusal = { status: 404, error: 'poll_not_found' };
    for (const id of ['0', '999999', '01', 'x', '-1']) {
      expectRefusal(await previewBallot(test, id, send), refusal);
    }
    const gone = await openPoll(test);
    await removeRow(test, gone.rootId);
    expectRefusal(await previewBallot(test, gone.id, send), refusal);
  });

  it('shows an existing ballot and never answers 409', async () => {
    const [from, request_id] = [freshNetwork(), randomUUID()];
    await vote(test, poll.id, 'a', from, request_id);
    const existing_vote = { poll_id: poll.id, option: 'a' };
    for (const send of [
      { option: 'a', request_id },
      { option: 'b', request_id },
      { option: 'c', request_id: randomUUID() },
    ]) {
      const { status, body } = await previewBallot(test, poll.id, send, from);
      expect(status).to.equal(200);
      expect(body.existing_vote).to.deep.equal(existing_vote);
    }
    const send = { option: 'b', request_id };
    const other = await previewBallot(test, poll.id, send, freshNetwork());
    expect(other.status).to.equal(200);
    expect(other.body).not.to.have.property('existing_vote');
  });

  it('answers for a closed poll too: publishing says that it is', async () => {
    const short = { ...SURVEY, duration_hours: 24 };
    const { id } = await openPoll(test, short);
    const early = freshNetwork();
    await vote(test, id, 'b', early);
    test.clock.advance(24 * HOUR_MS);
    const send = { option: 'a', request_id: randomUUID() };
    const codes = ({ body }: { body: { warnings?: { code: string }[] } }) =>
      body.warnings?.map(({ code }) => code);
    const warned = await previewBallot(test, id, send).expect(200);
    expect(codes(warned)).to.deep.equal(['poll_closed']);
    expectRefusal(await vote(test, id, 'a'), {
      status: 409,
      error: 'poll_closed',
    });
    // Who has voted hears that, and publishing says so, too.
    expect(codes(await previewBallot(test, id, send, early))).to.deep.equal([
      'already_voted',
    ]);
  });
});
