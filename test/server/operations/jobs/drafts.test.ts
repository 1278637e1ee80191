import { expect } from 'chai';
import { Ticket } from '../../../../server/db/entities/ticket.js';
import { capDrafts } from '../../../../server/operations/jobs/sweep.js';
import {
  draftBytes,
  draftsFull,
} from '../../../../server/tickets/storage-limit.js';
import { givenBoard } from '../../../support/hooks.js';
import { LIFTED } from '../../../support/lifted.js';
import { filled, preview } from '../../../support/post.js';
import { randomBytes } from '../../../support/random.js';
import { rows } from '../../../support/rows.js';

const MINUTE_MS = 60_000;
const ALWAYS = () => true;

type Previewed = Parameters<typeof filled>[0];

describe('The cap on drafts', () => {
  const test = givenBoard({ limits: LIFTED, env: { ROLES: 'api' } });
  beforeEach(() => rows(test).deleteAll(Ticket));

  /** Drafts of about two thousand bytes, as text does not pack better. */
  async function drafts(times: number): Promise<Previewed[]> {
    const made: Previewed[] = [];
    for (let n = 0; n < times; n += 1) {
      const body = randomBytes(1350).toString('base64');
      made.push((await preview(test, { body })) as Previewed);
      test.clock.advance(1000);
    }
    return made;
  }

  const bytes = () => draftBytes(test.board.context.writes, 0);
  const cap = (max: number) => capDrafts(test.board.context, ALWAYS, max);
  const kept = async () => {
    const all = await rows(test).find(Ticket, { order: { createdAt: 'ASC' } });
    return all.map(({ createdAt }) => createdAt);
  };

  it('touches nothing below it', async () => {
    await drafts(5);
    test.clock.advance(20 * MINUTE_MS);
    expect(await cap((await bytes()) * 2)).to.equal(0);
    expect(await kept()).to.have.length(5);
  });

  it('lets the oldest unpublished go first, until there is room', async () => {
    const made = await drafts(10);
    const [first] = made;
    await test
      .as()
      .post('/write/publish')
      .send(filled(first as Previewed))
      .expect(201);
    const all = await kept();
    test.clock.advance(20 * MINUTE_MS);
    const max = await bytes();
    // 80 % of ten drafts may stay: the published one and the seven newest.
    expect(await cap(max)).to.be.within(2, 3);
    const left = await kept();
    expect(left[0], 'the published one').to.equal(all[0]);
    expect(left.slice(1)).to.deep.equal(
      all.slice(all.length - left.length + 1),
    );
    expect(await bytes()).to.be.at.most(max * 0.8);
  });

  it('keeps those that can still be published: then previews are refused', async () => {
    await drafts(4);
    const max = Math.floor((await bytes()) / 2);
    expect(await cap(max)).to.equal(0);
    expect(await draftsFull(test.board.context, max)).to.equal(true);
  });

  it('is far away on an ordinary board', async () => {
    await drafts(1);
    expect(await draftsFull(test.board.context)).to.equal(false);
  });

  it('asks the rows only when the files are larger', async () => {
    await drafts(3);
    const { writes } = test.board.context;
    const exact = await draftBytes(writes, 0);
    const files = await draftBytes(writes, 1_000_000_000);
    expect(exact).to.be.within(4000, 9000);
    expect(files).to.be.above(exact);
  });
});
