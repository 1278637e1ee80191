import { BASE_URL } from '../../support/board.js';
import {
  get,
  givenReadable,
  ids,
  remove,
  reply,
  setVisibility,
  topic,
} from './fixture.js';

const dots = (count: number) => '.'.repeat(count);

describe('GET /api/search', () => {
  const test = givenReadable();
  let titled: number;
  let answer: number;
  let cased: number;
  let hidden: number;
  let hiddenReply: number;
  let gone: number;
  before(async () => {
    titled = await topic(test, { title: 'About Walruses', body: 'No word.' });
    answer = await reply(test, titled, 'A walrus, 100% \\ of _it_; x"y\'z.');
    cased = await topic(test, {
      room: 'findings',
      body: 'Die STRASSE, die Straße; ΟΔΟΣ; İstanbul; e\u0301; 漢字検索 😀😁',
    });
    hidden = await topic(test, { body: 'a hidden walrus' });
    hiddenReply = await reply(test, hidden, 'another walrus');
    gone = await reply(test, titled, 'a removed walrus');
    await setVisibility(test, hidden, 'hidden_by_ratings');
    await remove(test, gone);
  });

  const search = (q: string, more = '') =>
    get(test, `/api/search?q=${encodeURIComponent(q)}${more}`);

  it('looks through bodies and titles, newest first', async () => {
    const { body, headers } = await search('walrus');
    expect(ids({ body })).to.deep.equal([answer, titled]);
    expect(body).to.include({
      count: 2,
      cursor: answer,
      has_more: false,
      next: null,
      content_trust: 'untrusted_public_data',
    });
    expect(body).to.include.keys('community');
    expect(headers['cache-control']).to.match(/must-revalidate/);
  });

  const FOLDED: readonly [string, boolean][] = [
    ['strasse', true],
    ['STRAẞE', true],
    ['straße', true],
    ['οδος', true],
    ['ΟΔΟΣ', true],
    ['οδοσ', true],
    ['İSTANBUL', true],
    ['i\u0307stanbul', true],
    ['istanbul', false],
    ['\u0131stanbul', false],
    ['e\u0301;', true],
    ['\u00e9;', false],
    ['漢字', true],
    ['検索', true],
    ['字検', true],
    ['索漢', false],
    ['😀😁', true],
    ['😁😀', false],
  ];
  for (const [q, found] of FOLDED) {
    it(`${found ? 'finds' : 'does not find'} ${JSON.stringify(q)}`, async () => {
      const { body } = await search(q).expect(200);
      expect(ids({ body })).to.deep.equal(found ? [cased] : []);
    });
  }

  for (const q of ['100%', '\\ of', '_it_', 'x"y', "y'z", '; x']) {
    it(`takes ${q} literally`, async () => {
      expect(ids(await search(q))).to.deep.equal([answer]);
    });
  }

  for (const q of ['10_%', '%%', '__', '.*', 'a%walrus', 'wal\\rus']) {
    it(`sees no pattern in ${q}`, async () => {
      expect(ids(await search(q))).to.deep.equal([]);
    });
  }

  it('finds hidden topics and their replies only on demand', async () => {
    const only = await search('walrus', '&visibility=hidden');
    expect(ids(only)).to.deep.equal([hiddenReply, hidden]);
    const all = await search('walrus', '&visibility=all');
    expect(all.body.count).to.equal(4);
  });

  it('filters by room', async () => {
    expect(ids(await search('die', '&room=findings'))).to.deep.equal([cased]);
    expect(ids(await search('die', '&room=lobby'))).to.deep.equal([]);
  });

  it('pages by before with links that carry every option', async () => {
    const { body } = await search('walrus', '&limit=1&full=1&preview=0');
    expect(ids({ body })).to.deep.equal([answer]);
    const link = new URL(body.next);
    expect(link.origin + link.pathname).to.equal(`${BASE_URL}/api/search`);
    expect(Object.fromEntries(link.searchParams)).to.deep.equal({
      q: 'walrus',
      before: String(answer),
      limit: '1',
      preview: '0',
      full: '1',
    });
    expect(body.data[0]).to.include.keys('request_id', 'signature_note');
    expect(ids(await get(test, body.next))).to.deep.equal([titled]);
  });

  it('has a cursor of 0 on an empty page', async () => {
    const { body } = await search('nowhere to be found');
    expect(body).to.deep.include({ data: [], count: 0, cursor: 0, next: null });
  });

  it('counts q in code points', async () => {
    expect((await search('😀')).status).to.equal(400);
    expect((await search('😀😁')).status).to.equal(200);
    expect((await search('😀'.repeat(100))).status).to.equal(200);
    expect((await search('😀'.repeat(101))).status).to.equal(400);
  });

  for (const query of ['', '?q=', '?q=a', `?q=${'a'.repeat(101)}`]) {
    it(`refuses ${query.slice(0, 12) || 'no q'}`, async () => {
      const { body } = await get(test, `/api/search${query}`).expect(400);
      expect(body).to.include({ error: 'invalid_input', field: 'q' });
    });
  }

  it('takes blanks as they are', async () => {
    const spaced = await topic(test, { body: 'two  blanks' });
    expect(ids(await search('o  b'))).to.deep.equal([spaced]);
    expect(ids(await search('o b'))).to.deep.equal([]);
  });

  it('has excerpts of 160 around the first match', async () => {
    const body = `${dots(300)}pelican${dots(300)} #1`;
    const id = await topic(test, { body });
    const found = (await search('pelican')).body.data[0];
    const offset = 300 - Math.floor((160 - 7) / 2);
    expect(found).to.include({
      id,
      excerpt_offset: offset,
      body: body.slice(offset, offset + 160),
      truncated: true,
      body_code_points: 610,
    });
    expect(found.references).to.deep.equal([]);
  });

  it('has an offset of 0 for whole bodies and early matches', async () => {
    const id = await topic(test, { body: `${dots(150)}heron${dots(300)}` });
    const early = (await search('heron', '&preview=155')).body.data[0];
    expect(early).to.include({ id, excerpt_offset: 0, truncated: true });
    const whole = (await search('heron', '&preview=0')).body.data[0];
    expect(whole).to.include({ excerpt_offset: 0, truncated: false });
    expect(whole.body).to.have.length(455);
  });

  it('names the references of the excerpt, those at its edges too', async () => {
    await topic(test, { body: `${dots(80)}a#${titled} ibis zz` });
    const found = (await search('ibis', '&preview=10')).body.data[0];
    expect(found.body).to.equal(`#${titled} ibis zz`);
    const [reference] = found.references;
    expect(reference).to.deep.equal({
      id: titled,
      url: `${BASE_URL}/t/${titled}`,
      read_url: `${BASE_URL}/api/messages/${titled}`,
    });
  });
});
