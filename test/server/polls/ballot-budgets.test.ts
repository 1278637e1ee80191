import { givenBoard } from '../../support/hooks.js';
import { withLimits } from '../../support/limits.js';
import { freshNetwork, randomUUID } from '../../support/random.js';
import { expectRefusal, limited } from '../posting/refusals.js';
import {
  type Answer,
  ballotTicket,
  castBallot,
  openPoll,
  previewBallot,
  vote,
} from './polling.js';

describe('the budgets of ballots', () => {
  // Those of ballots are the specification's.
  const test = givenBoard({ lifted: true, limits: { open_polls_max: 10_000 } });

  it('stand in the RateLimit header of each answer, counted with it', async () => {
    const { id } = await openPoll(test);
    const from = freshNetwork();
    const left = ({ headers }: Answer) => headers.ratelimit;
    const body = { option: 'a', request_id: randomUUID() };
    const failed = '"failed_tickets_per_network";r=100';
    const casting =
      '"ballot_attempts_per_network_minute";r=60, "ballots_per_network_minute";r=3, "ballots_per_network_hour";r=20';
    for (const r of [59, 58]) {
      expect(left(await previewBallot(test, id, body, from))).to.equal(
        `"ballot_previews_per_network_hour";r=${r};t=3600, ${failed}, ${casting}`,
      );
    }
    const send = await ballotTicket(test, id, 'a', from);
    const cast = () => castBallot(test, id, send, from);
    expect(left(await cast().expect(201))).to.equal(
      `"ballot_attempts_per_network_minute";r=59;t=60, "ballots_per_network_minute";r=2;t=60, "ballots_per_network_hour";r=19;t=3600, ${failed}`,
    );
    test.clock.advance(10_000);
    expect(left(await cast().expect(200))).to.equal(
      '"ballot_attempts_per_network_minute";r=58;t=50, "ballots_per_network_minute";r=2;t=50, "ballots_per_network_hour";r=19;t=3590',
    );
  });

  it('are told by a preview once they are used up', async () => {
    const from = freshNetwork();
    for (let n = 0; n < 3; n += 1) {
      const { id } = await openPoll(test);
      expect((await vote(test, id, 'a', from)).status).to.equal(201);
      test.clock.advance(10_000);
    }
    const { id } = await openPoll(test);
    const body = { option: 'a', request_id: randomUUID() };
    const known = await previewBallot(test, id, body, from);
    const scope = 'ballots_per_network_minute';
    expect(known.headers.ratelimit).to.include(`"${scope}";r=0;t=30`);
    expect(known.body.warnings).to.have.length(1);
    expect(known.body.warnings[0]).to.deep.include({
      ...{ code: 'ballots_exhausted', scope, wait_seconds: 30 },
    });
  });

  it('are spent by previews of no option and no poll, not by a wrong form', async () => {
    const { id } = await openPoll(test);
    const from = freshNetwork();
    const send = { option: 'a', request_id: randomUUID() };
    for (const [poll, body, status] of [
      [id, { option: 'a' }, 400],
      [id, { ...send, x: 1 }, 400],
      [id, { ...send, option: 'none' }, 400],
      [999_999, send, 404],
    ] as const) {
      expect((await previewBallot(test, poll, body, from)).status).to.equal(
        status,
      );
    }
    const { headers } = await previewBallot(test, id, send, from);
    expect(headers.ratelimit).to.include(
      '"ballot_previews_per_network_hour";r=57',
    );
  });

  it('spend nothing of a network where the board has no room', async () => {
    const { id } = await openPoll(test);
    const send = { option: 'a', request_id: randomUUID() };
    const none = { ballot_previews_per_board_minute: 0 };
    let from = '';
    await withLimits(test, none, async (network) => {
      from = network;
      const late = await previewBallot(test, id, send, from);
      expectRefusal(late, limited('ballot_previews_per_board_minute'));
    });
    const { headers } = await previewBallot(test, id, send, from);
    expect(headers.ratelimit).to.include(
      '"ballot_previews_per_network_hour";r=59',
    );
  });
});
