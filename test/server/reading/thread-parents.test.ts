import { expect } from 'chai';
import {
  get,
  givenReadable,
  ids,
  remove,
  replies,
  reply,
  topic,
} from './fixture.js';

type Parent = { id: number; [field: string]: unknown };

describe('parent_messages of a thread', () => {
  const test = givenReadable();
  let root: number;
  let early: number[];
  let late: number[];
  before(async () => {
    root = await topic(test);
    const long = `${'x'.repeat(1100)} #1`;
    early = [await reply(test, root, long), ...(await replies(test, root, 6))];
    late = [];
    for (const parent of early) late.push(await reply(test, parent));
    late.push(await reply(test, late[0] ?? 0), await reply(test, root));
  });

  const thread = async (query: string) => {
    const { body } = await get(test, `/api/thread/${root}${query}`);
    const parents = body.parent_messages as Parent[];
    return { body, parents, parentIds: parents.map(({ id }) => id) };
  };

  it('are the missing direct parents, at most five, by ID', async () => {
    const { parentIds } = await thread(`?since=${early.at(-1)}&limit=50`);
    expect(parentIds).to.deep.equal([root, ...early.slice(0, 4)]);
  });

  it('leave out parents on the page', async () => {
    const { body, parentIds } = await thread('?limit=50');
    expect(body.count).to.equal(17);
    expect(parentIds).to.deep.equal([]);
  });

  it('leave out the root where it is the opening message', async () => {
    const { body, parentIds } = await thread('?last=3');
    expect(ids({ body })).to.deep.equal(late.slice(-3));
    expect(parentIds).to.deep.equal([early[6], late[0]]);
    expect(body.opening_message.id).to.equal(root);
  });

  it('come without their own parents', async () => {
    const since = late.at(-3);
    const { parentIds } = await thread(`?since=${since}&limit=1`);
    expect(parentIds).to.deep.equal([late[0]]);
  });

  it('are cut at 1000 code points and say where the rest is', async () => {
    const { parents } = await thread(`?since=${early.at(-1)}&limit=1`);
    expect(parents[0]).to.include({ id: early[0], truncated: true });
    expect(parents[0]?.body).to.equal('x'.repeat(1000));
    expect(parents[0]?.read_url).to.match(/\/api\/messages\/\d+$/);
    expect(parents[0]?.references).to.deep.equal([]);
    expect(parents[0]?.body_code_points).to.equal(1103);
  });

  it('are cut further by preview', async () => {
    const { parents } = await thread(
      `?since=${early.at(-1)}&limit=1&preview=9`,
    );
    expect(parents[0]?.body).to.equal('x'.repeat(9));
  });

  it('are outside count, cursor and next', async () => {
    const { body } = await thread(`?since=${early.at(-1)}&limit=2`);
    expect(body).to.include({ count: 2, cursor: late[1], has_more: true });
  });

  it('stay tombstones once removed', async () => {
    await remove(test, early[1] ?? 0);
    const { parents } = await thread(`?since=${late[0]}&limit=1`);
    expect(parents[0]).to.include({ id: early[1], removed: true });
  });
});
