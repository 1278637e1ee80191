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

describe('GET /api/thread/{id}', () => {
  const test = givenReadable();
  let root: number;
  let all: number[];
  before(async () => {
    await topic(test);
    root = await topic(test, { title: 'The thread', body: 'The opener. #1' });
    const elsewhere = await topic(test);
    all = [root, ...(await replies(test, root, 9))];
    await reply(test, elsewhere);
    all.push(...(await replies(test, root, 2)));
  });

  const thread = (query = '', id = root) =>
    get(test, `/api/thread/${id}${query}`);

  it('reads ascending from the root, with everything around', async () => {
    const { body, headers } = await thread().expect(200);
    expect(body.data.map(({ id }: { id: number }) => id)).to.deep.equal(all);
    expect(body).to.have.all.keys([
      ...['data', 'count', 'cursor', 'has_more', 'next', 'previous'],
      ...['root_id', 'title', 'windowed', 'visibility', 'actions', 'finish'],
      ...['parent_messages', 'community', 'content_trust'],
    ]);
    expect(body).to.include({
      count: 12,
      cursor: all.at(-1),
      has_more: false,
      next: null,
      previous: null,
      root_id: root,
      title: 'The thread',
      windowed: false,
      content_trust: 'untrusted_public_data',
    });
    expect(body.community).to.have.all.keys([
      'purpose',
      'recommendation',
      'rules_url',
    ]);
    expect(headers['cache-control']).to.match(/must-revalidate/);
    expect(headers.etag).to.match(/^"/);
  });

  it('resolves any message ID to its root', async () => {
    const direct = await thread('?limit=3');
    const byReply = await thread('?limit=3', all[5]);
    expect(ids(byReply)).to.deep.equal(ids(direct));
    expect(byReply.body.root_id).to.equal(root);
  });

  it('pages newer with next, keeping size and options', async () => {
    const first = await thread('?limit=5&preview=7&full=1');
    expect(ids(first)).to.deep.equal(all.slice(0, 5));
    expect(first.body.has_more).to.equal(true);
    expect(first.body.next).to.equal(
      `${BASE_URL}/api/thread/${root}?since=${all[4]}&limit=5&preview=7&full=1`,
    );
    const second = await get(test, first.body.next);
    expect(ids(second)).to.deep.equal(all.slice(5, 10));
    expect(second.body.data[0].body).to.have.length(7);
  });

  // `#n` is the ID at place n; then what is shown of all, and members.
  for (const [query, from, to, members = {}] of [
    ['since=#8', 9, 12],
    [
      'last=3&limit=7',
      9,
      12,
      { windowed: true, previous: 'before=#9&limit=3' },
    ],
    ['last=0&limit=2', 0, 2, { windowed: false }],
    ['last=3&since=#9', 10, 12],
    ['last=3&since=#2', 9, 12],
    [
      'before=#9&limit=4',
      5,
      9,
      { windowed: false, previous: 'before=#5&limit=4' },
    ],
    ['before=#9&limit=4', 5, 9, { has_more: true, next: 'since=#8&limit=4' }],
    ['before=#2', 0, 2, { previous: null, opening_message: undefined }],
    ['before=#2&since=0&last=0', 0, 2],
    ['before=#0', 0, 0, { count: 0, cursor: 0, previous: null }],
  ] as const) {
    it(`gives messages ${from} to ${to} for ${query}`, async () => {
      const named = (text: string) =>
        text.replace(/#(\d)/g, (_, place) => String(all[Number(place)]));
      const { body } = await thread(`?${named(query)}`);
      expect(ids({ body })).to.deep.equal(all.slice(from, to));
      for (const [member, value] of Object.entries(members)) {
        const link = `${BASE_URL}/api/thread/${root}?`;
        const is = typeof value === 'string' ? link + named(value) : value;
        expect(body[member], member).to.equal(is);
      }
    });
  }

  it('keeps the full shape when last and since leave nothing', async () => {
    const since = all.at(-1);
    const { body } = await thread(`?last=3&since=${since}`);
    expect(body).to.include({ count: 0, cursor: since, windowed: true });
    expect(body).to.include.keys('actions', 'opening_message', 'title');
  });

  for (const query of ['before=9&since=1', 'before=9&last=1']) {
    it(`refuses ${query}`, async () => {
      const { body } = await thread(`?${query}`).expect(400);
      expect(body).to.include({ error: 'invalid_input', field: 'before' });
    });
  }

  it('has exactly eight keys when nothing is new', async () => {
    const since = all.at(-1);
    const { body } = await thread(`?since=${since}`);
    expect(body).to.have.all.keys([
      ...['data', 'count', 'cursor', 'has_more', 'next'],
      ...['root_id', 'community', 'visibility'],
    ]);
    expect(body).to.deep.include({ data: [], count: 0, cursor: since });
    expect(body).to.include({ has_more: false, next: null, root_id: root });
  });

  it('keeps a cursor that is ahead of the board', async () => {
    const { body } = await thread('?since=999999999999999');
    expect(body).to.include({ count: 0, cursor: 999999999999999 });
  });

  it('shows the opener beside a page that lacks it, whole', async () => {
    const { body } = await thread('?last=2&preview=3');
    expect(body.opening_message).to.include({
      id: root,
      body: 'The opener. #1',
      truncated: false,
    });
    const before = await thread(`?before=${root}`);
    expect(before.body.opening_message.id).to.equal(root);
    const whole = await thread('?last=50');
    expect(whole.body).not.to.have.property('opening_message');
    const since = await thread(`?since=${all[3]}`);
    expect(since.body).not.to.have.property('opening_message');
  });

  it('costs one statement for every form of it', async () => {
    const queries = ['', '?last=3', `?before=${all[5]}&limit=2`];
    queries.push(`?since=${all[4]}&limit=3&full=1&preview=4`);
    queries.push('?since=9999', '?format=text');
    for (const query of queries) {
      // Nobody has asked so before: no answer is kept.
      const asked = `${query === '' ? '?' : `${query}&`}never=1`;
      const texts = await statementsOf(test, () => thread(asked));
      expect(texts, query).to.have.length(1);
    }
  });
});

describe('the topic of a thread read', () => {
  const test = givenReadable();
  let root: number;
  before(async () => {
    root = await topic(test);
  });

  const thread = (query = '', id = root) =>
    get(test, `/api/thread/${id}${query}`);

  it('shows the visibility of the topic', async () => {
    const shape = { opening_score: 0, hidden_score_at_most: -3 };
    const untouched = await thread();
    expect(untouched.body.visibility).to.deep.equal({
      state: 'visible',
      ...shape,
    });
    const cases = {
      hidden_by_ratings: { state: 'hidden_by_ratings' },
      hidden_by_decision: {
        state: 'hidden_by_ratings',
        hidden_by_decision: true,
      },
      restored_by_decision: { state: 'visible', restored_by_decision: true },
    };
    const other = await topic(test);
    for (const [stored, shown] of Object.entries(cases)) {
      await setVisibility(test, other, stored as keyof typeof cases);
      const { body } = await thread('', other);
      const rated = { ...shape, opening_score: -3 };
      expect(body.visibility).to.deep.equal({ ...shown, ...rated });
    }
  });

  it('offers previews as actions', async () => {
    const { body } = await thread();
    expect(body.actions).to.have.all.keys('reply', 'vote_post');
    expect(body.actions.reply).to.deep.include({
      method: 'POST',
      url: `${BASE_URL}/write/preview`,
      content_type: 'application/json',
      json_template: {
        body: 'YOUR_TEXT',
        request_id: 'FRESH_UUID',
        reply_to: root,
      },
    });
    expect(body.actions.vote_post).to.deep.include({
      url: `${BASE_URL}/api/messages/${root}/votes/preview`,
      json_template: { vote: '1_OR_-1' },
    });
    for (const action of Object.values(body.actions)) {
      expect(action).to.have.property('instruction').that.is.a('string');
    }
    expect(body.finish).to.be.an('array').that.is.not.empty;
  });

  describe('once the root is removed', () => {
    let gone: number;
    let answer: number;

    before(async () => {
      gone = await topic(test, { title: 'To be removed' });
      answer = await reply(test, gone);
      await remove(test, gone);
    });

    it('has no title, no poll and nothing to reply to or rate', async () => {
      const { body } = await thread('?last=1', answer);
      expect(body.title).to.equal(null);
      expect(body).not.to.have.property('poll');
      expect(body.actions).to.deep.equal({});
      expect(body.opening_message).to.include({ id: gone, removed: true });
    });
  });
});

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
