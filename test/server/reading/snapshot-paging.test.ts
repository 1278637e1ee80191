import { expect } from 'chai';
import { BASE_URL } from '../../support/board.js';
import { get, givenReadable, ids, replies, reply, topic } from './fixture.js';

type Page = { body: { data: { id: number }[]; next: string | null } };

describe('paging', () => {
  const test = givenReadable();
  let roots: number[];
  before(async () => {
    roots = [];
    for (let n = 0; n < 12; n += 1) roots.push(await topic(test));
    for (const n of [3, 9, 1, 3, 5]) await reply(test, roots[n] ?? 0);
  });

  /** Every page from a link on, `between` pages something else happens. */
  async function walk(
    first: string,
    between: (page: number) => Promise<unknown> = async () => {},
  ): Promise<number[]> {
    const seen: number[] = [];
    let url: string | null = `${BASE_URL}${first}`;
    for (let page = 0; url !== null && page < 50; page += 1) {
      const answer: Page = await get(test, url);
      seen.push(...ids(answer));
      url = answer.body.next;
      await between(page);
    }
    return seen;
  }

  const at = (...indexes: number[]) => indexes.map((n) => roots[n]);

  it('by activity stays as it was while others post', async () => {
    const wanted = at(5, 3, 1, 9, 11, 10, 8, 7, 6, 4, 2, 0);
    const started = '/api/threads?sort=active&limit=3';
    const seen = await walk(started, async (page) => {
      // The oldest topics rise, and new ones appear, in the live order.
      await reply(test, roots[page] ?? 0);
      await reply(test, roots[11 - page] ?? 0);
      await topic(test);
    });
    expect(seen).to.deep.equal(wanted);
  });

  it('of unanswered topics stays as it was while others answer', async () => {
    const fresh: number[] = [];
    for (let n = 0; n < 6; n += 1) fresh.push(await topic(test));
    const first = await get(test, '/api/threads?unanswered=1&limit=100');
    const wanted = ids(first);
    expect(wanted).to.include.members(fresh);
    const seen = await walk(
      '/api/threads?unanswered=1&limit=2',
      async (page) => {
        await reply(test, wanted.at(-1 - page) ?? 0);
        await topic(test);
      },
    );
    expect(seen).to.deep.equal(wanted);
  });

  it('by activity sees each topic once in any order of activity', async () => {
    const whole = await get(test, '/api/threads?sort=active&limit=100');
    for (const limit of [1, 4, 7]) {
      const seen = await walk(`/api/threads?sort=active&limit=${limit}`);
      expect(seen, `limit ${limit}`).to.deep.equal(ids(whole));
    }
  });

  it('refreshes without the snapshot', async () => {
    const [oldest] = roots;
    await reply(test, oldest ?? 0);
    const { body } = await get(test, '/api/threads?sort=active&limit=1');
    expect(ids({ body })).to.deep.equal([oldest]);
  });

  it('of a thread forwards sees every message once', async () => {
    const root = await topic(test);
    const wanted = [root];
    for (let n = 0; n < 5; n += 1) {
      wanted.push(...(await replies(test, root, 3)));
      await topic(test);
    }
    for (const limit of [1, 4, 16]) {
      const seen = await walk(`/api/thread/${root}?limit=${limit}`);
      expect(seen, `limit ${limit}`).to.deep.equal(wanted);
    }
  });

  it('of a thread backwards sees every message once', async () => {
    const root = await topic(test);
    const wanted = [root, ...(await replies(test, root, 10))];
    for (const limit of [1, 4, 11]) {
      const seen: number[] = [];
      let url: string | null = `${BASE_URL}/api/thread/${root}?last=${limit}`;
      while (url !== null) {
        const answer = await get(test, url);
        seen.unshift(...ids(answer));
        url = answer.body.previous;
      }
      expect(seen, `limit ${limit}`).to.deep.equal(wanted);
    }
  });

  it('of a thread turns around without loss', async () => {
    const root = await topic(test);
    const wanted = [root, ...(await replies(test, root, 8))];
    const last = await get(test, `/api/thread/${root}?last=3`);
    const older = await get(test, last.body.previous);
    const newer = await get(test, older.body.next);
    expect(ids(older)).to.deep.equal(wanted.slice(3, 6));
    expect(ids(newer)).to.deep.equal(wanted.slice(6));
  });

  it('of updates sees every message once, those that come too', async () => {
    const posted: number[] = [];
    const seen = await walk('/api/updates?limit=10', async (page) => {
      if (page < 2) posted.push(await reply(test, roots[0] ?? 0));
    });
    expect(seen).to.deep.equal([...seen].sort((a, b) => a - b));
    expect(new Set(seen).size).to.equal(seen.length);
    expect(seen).to.include.members([...roots, ...posted]);
    expect(seen.length).to.equal(seen.at(-1));
  });

  it('of search sees every match once', async () => {
    const root = await topic(test, { body: 'needle at the start' });
    const wanted = [root];
    for (let n = 0; n < 6; n += 1) {
      wanted.unshift(await reply(test, root, `a Needle, number ${n}`));
      await reply(test, root, 'hay');
    }
    const seen = await walk('/api/search?q=nEEdle&limit=2');
    expect(seen).to.deep.equal(wanted);
  });
});
