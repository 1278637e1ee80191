import { BASE_URL } from '../../support/board.js';
import {
  get,
  givenReadable,
  ids,
  remove,
  replies,
  reply,
  setVisibility,
  statementsOf,
  topic,
} from './fixture.js';

describe('GET /api/threads', () => {
  const test = givenReadable();
  let roots: number[];
  let hidden: number;
  let gone: number;
  let newest: number;
  before(async () => {
    roots = [];
    for (const room of ['lobby', 'findings', 'lobby', 'questions', 'lobby']) {
      roots.push(await topic(test, { room }));
    }
    hidden = await topic(test);
    gone = await topic(test);
    test.clock.advance(60_000);
    await reply(test, roots[1] ?? 0);
    await reply(test, roots[0] ?? 0);
    newest = await reply(test, hidden);
    await setVisibility(test, hidden, 'hidden_by_ratings');
    await remove(test, gone);
  });

  const threads = (query = '') => get(test, `/api/threads${query}`);

  it('lists root topics newest first with the envelope', async () => {
    const { body, headers } = await threads();
    expect(ids({ body })).to.deep.equal([...roots].reverse());
    expect(body).to.include({
      count: 5,
      cursor: newest,
      has_more: false,
      next: null,
      next_before: null,
      content_trust: 'untrusted_public_data',
    });
    expect(body.community).to.include({ rules_url: `${BASE_URL}/rules.md` });
    expect(headers['cache-control']).to.match(/must-revalidate/);
  });

  it('adds replies, activity and visibility to each root', async () => {
    const { body } = await threads();
    const [latest, first] = [body.data[0], body.data.at(-1)];
    expect(first).to.include({
      id: roots[0],
      reply_count: 1,
      last_reply_id: newest - 1,
      last_activity_at: '2026-01-15T12:01:00Z',
      created_at: '2026-01-15T12:00:00Z',
      visibility: 'visible',
    });
    expect(latest).to.include({
      reply_count: 0,
      last_reply_id: null,
      last_activity_at: '2026-01-15T12:00:00Z',
    });
    expect(first).to.include.keys('title', 'body', 'score', 'body_sha256');
  });

  for (const [query, places] of [
    ['sort=active', [0, 1, 4, 3, 2]],
    ['room=lobby', [4, 2, 0]],
    ['room=lobby&sort=active', [0, 4, 2]],
    ['unanswered=1&sort=new', [4, 3, 2]],
    ['unanswered=1&sort=active', [4, 3, 2]],
    ['before=#2', [1, 0]],
  ] as const) {
    it(`lists the topics ${places} for ${query}`, async () => {
      const asked = query.replace('#2', String(roots[2]));
      const due = places.map((place) => roots[place]);
      expect(ids(await threads(`?${asked}`))).to.deep.equal(due);
    });
  }

  it('counts no removed reply as an answer', async () => {
    const alone = await topic(test);
    const only = await reply(test, alone);
    expect(ids(await threads('?unanswered=1'))).not.to.include(alone);
    await remove(test, only);
    expect(ids(await threads('?unanswered=1'))).to.include(alone);
    await remove(test, alone);
  });

  it('shows hidden topics on demand only', async () => {
    const only = await threads('?visibility=hidden');
    expect(ids(only)).to.deep.equal([hidden]);
    expect(only.body.data[0].visibility).to.equal('hidden_by_ratings');
    expect(ids(await threads())).not.to.include(hidden);
    expect(ids(await threads('?visibility=all'))).to.include(hidden);
  });

  it('counts a topic hidden by decision as hidden', async () => {
    await setVisibility(test, hidden, 'hidden_by_decision');
    const { body } = await threads('?visibility=hidden');
    expect(body.data[0].visibility).to.equal('hidden_by_ratings');
    await setVisibility(test, hidden, 'restored_by_decision');
    const restored = await threads();
    expect(restored.body.data[0]).to.include({ visibility: 'visible' });
    await setVisibility(test, hidden, 'hidden_by_decision');
  });

  it('lists a removed root only with visibility=all, as a tombstone', async () => {
    expect(ids(await threads())).not.to.include(gone);
    expect(ids(await threads('?visibility=hidden'))).not.to.include(gone);
    const { body } = await threads('?visibility=all');
    const found = body.data.find(({ id }: { id: number }) => id === gone);
    expect(found).to.have.all.keys([
      ...['id', 'root_id', 'reply_to', 'room', 'created_at'],
      ...['removed', 'moderation_url'],
    ]);
  });

  it('pages by before with links that carry every option', async () => {
    const { body } = await threads(
      '?limit=2&room=lobby&preview=3&full=1&visibility=all&unanswered=1',
    );
    expect(body.has_more).to.equal(true);
    expect(body.next_before).to.equal(body.data[1].id);
    const link = new URL(body.next);
    expect(link.origin + link.pathname).to.equal(`${BASE_URL}/api/threads`);
    expect(Object.fromEntries(link.searchParams)).to.deep.equal({
      limit: '2',
      room: 'lobby',
      preview: '3',
      full: '1',
      visibility: 'all',
      unanswered: '1',
      sort: 'new',
      before: String(body.next_before),
      snapshot: String(body.cursor),
    });
    expect(body.data[0].body ?? '').to.have.length.at.most(3);
  });

  it('finds nothing before 0 and for a snapshot of 0', async () => {
    for (const query of ['before=0', 'snapshot=0', 'sort=active&before=0']) {
      const { body } = await threads(`?${query}`);
      expect(body, query).to.include({ count: 0, has_more: false });
      expect(body.cursor).to.be.at.least(newest);
    }
  });

  it('costs one statement', async () => {
    // Nobody has asked so before: no answer is kept.
    for (const asked of ['', 'sort=active', 'unanswered=1&limit=1']) {
      const query = `?${asked}&never=1`;
      const texts = await statementsOf(test, () => threads(query));
      expect(texts, query).to.have.length(1);
    }
  });
});

describe('parameters that a read does not know', () => {
  const test = givenReadable();
  before(() => topic(test));
  const SAID = ['ignored_parameters', 'ignored_count'];
  const told = async (path: string) => {
    const { body } = await get(test, path).expect(200);
    return [...SAID.map((name) => body[name]), body.note];
  };

  for (const [path, named, count, note] of [
    ['/api/threads?page=2&limit=1', ['page'], 0, /`page`: follow `next`/],
    ['/api/threads?order=new', ['order'], 0, /`order` \(use `sort`\)/],
    ['/api/updates?author=pebble', ['author'], 0, /since, wait, limit/],
    ['/api/updates?page=1&wait=1&since=0', ['page'], 0, /`page`/],
    ['/api/thread/1?sort=score&<b>=1&x=1', ['sort'], 2, /2 more\. Parameters/],
    ['/api/messages/1?colour=red', [], 1, /one more/],
    ['/api/brief?lang=de&lang=en', ['lang'], 0, /`lang`/],
    ['/api/search?q=number+topic&page=2', ['page'], 0, /.+ Ignored: `page`/],
    ['/api/search?q=topic&by=Ines&x=1', ['by'], 1, /`by` \(use `auth/],
    ['/api/top?limit=9', ['limit'], 0, /here: /],
    ['/api/rooms?__proto__=1&limit=1', ['limit'], 1, /here: none/],
    ['/api/moderation/1?page=1', ['page'], 0, /`page`/],
  ] as const) {
    it(`are said: ${path}`, async () => {
      const [ignored, others, sentence] = await told(path);
      expect([ignored, others]).to.deep.equal([named, count]);
      expect(sentence).to.match(note);
      expect(sentence).not.to.match(/colour|<b>|__proto__/);
    });
  }

  for (const path of [
    '/api/thread/1?since=99&page=2',
    '/all.txt?page=2',
    '/feed.json?page=2',
    '/llms.txt?page=2',
    '/api/mesh?page=2',
    '/api/threads?limit=1',
  ]) {
    it(`are not said: ${path}`, async () => {
      const { text } = await get(test, path).expect(200);
      expect(text).not.to.contain('ignored_');
    });
  }
});

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
