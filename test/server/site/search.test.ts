import { expect } from 'chai';
import { withLimits } from '../../support/limits.js';
import { givenReadable, remove, reply, topic } from '../reading/fixture.js';
import { linksOf, mainOf, page, wordsOf } from './page.js';

describe('GET /search', () => {
  const test = givenReadable({
    limits: { messages_page_default: 3, searches_per_network_minute: 100 },
  });

  it('is a form as long as nothing is looked for', async () => {
    for (const path of ['/search', '/search?q=', '/search?q=&room=']) {
      const html = await mainOf(test, path);
      expect(html).to.contain('<label for="q">');
      expect(html).not.to.contain('<ol class="cards">');
    }
  });

  it('shows what holds the text, and where', async () => {
    const title = 'Finding NEEDLES <here>';
    const root = await topic(test, { title, body: 'Hay. '.repeat(100) });
    const id = await reply(test, root, `${'hay '.repeat(200)}a Needle <b>`);
    const html = await mainOf(test, '/search?q=needle');
    expect(linksOf(html)).to.include.members([
      `/t/${root}`,
      `/t/${root}?message=${id}#m${id}`,
    ]);
    expect(html).to.contain('Finding <mark>NEEDLE</mark>S &lt;here&gt;');
    expect(wordsOf(html)).to.contain('a Needle <b>');
    const [, value] = /name="q"[^>]*value="([^"]*)"/.exec(html) ?? [];
    expect(value).to.equal('needle');
  });

  it('escapes what was looked for', async () => {
    const q = '"><script>alert(1)</script>';
    const { text } = await page(test, `/search?q=${encodeURIComponent(q)}`);
    expect(text).not.to.contain('<script');
    expect(wordsOf(text)).to.contain('No messages contain');
  });

  it('keeps to a room, and pages', async () => {
    for (let n = 0; n < 4; n += 1) await topic(test, { body: 'paged text' });
    const other = await topic(test, { body: 'paged text', room: 'findings' });
    const found = await mainOf(test, '/search?q=paged+text&room=findings');
    expect(linksOf(found).filter((link) => link.startsWith('/t/'))).to.eql([
      `/t/${other}`,
    ]);
    const first = await mainOf(test, '/search?q=paged%20text');
    const [, next = ''] = /href="([^"]*)" rel="next"/.exec(first) ?? [];
    const rest = await mainOf(test, next.replaceAll('&amp;', '&'));
    expect(rest.match(/<li class="card">/g)).to.have.length(2);
    expect(wordsOf(rest)).to.contain('First page');
  });

  it('says in which topic a reply was found', async () => {
    const root = await topic(test, { title: 'Where *it* is' });
    const id = await reply(test, root, 'Contextual words.');
    const html = await mainOf(test, '/search?q=contextual');
    expect(wordsOf(html)).to.contain('Reply in Where *it* is');
    expect(html).to.contain('<mark>Contextual</mark> words.');
    await remove(test, root);
    const gone = wordsOf(await mainOf(test, '/search?q=contextual'));
    expect(gone).to.contain(`Reply in removed topic #${root}`);
    expect(gone).to.contain(`#${id}`);
  });

  it('keeps to an author and to a time', async () => {
    const body = 'narrowed text';
    const old = await topic(test, { body, name: 'ann' });
    test.clock.advance(8 * 86_400_000);
    const late = await topic(test, { body, name: 'ann' });
    const other = await topic(test, { body, name: 'Ann' });
    const found = async (query: string) =>
      linksOf(await mainOf(test, `/search?q=narrowed+text&${query}`))
        .filter((link) => link.startsWith('/t/'))
        .map((link) => Number(link.slice('/t/'.length)));
    expect(await found('author=')).to.deep.equal([other, late, old]);
    expect(await found('author=ann')).to.deep.equal([late, old]);
    expect(await found('within=week')).to.deep.equal([other, late]);
    expect(await found('within=month&author=ann')).to.deep.equal([late, old]);
    test.clock.advance(2 * 86_400_000);
    expect(await found('within=day')).to.deep.equal([]);
    await page(test, '/search?q=ab&within=year', 400);
  });

  it('says what else can be tried where nothing is found', async () => {
    const html = await mainOf(test, '/search?q=nowhere+at+all&author=ann');
    expect(wordsOf(html)).to.contain('with these filters');
    expect(linksOf(html)).to.include.members([
      '/search?q=nowhere%20at%20all',
      '/search?q=nowhere%20at%20all&visibility=all&author=ann',
    ]);
  });

  it('shows no removed message', async () => {
    const id = await topic(test, { body: 'vanishing words' });
    await remove(test, id);
    expect(wordsOf(await mainOf(test, '/search?q=vanishing'))).to.contain(
      'No messages contain “vanishing”.',
    );
  });

  it('says what cannot be looked for', async () => {
    for (const q of ['x', 'y'.repeat(101)]) {
      const html = await mainOf(test, `/search?q=${q}`, 400);
      expect(wordsOf(html)).to.contain('it takes 2 to 100 characters');
    }
    for (const query of ['q=%ff', 'q=a%00b', 'q=ab&room=attic', 'q=ab&q=cd']) {
      await page(test, `/search?${query}`, 400);
    }
  });

  it('spends one of the searches of its network', async () => {
    const path = '/search?q=anything';
    const limits = { searches_per_network_minute: 1 };
    await withLimits(test, limits, async (from) => {
      await page(test, path, 200, from);
      const { text, headers } = await page(test, path, 429, from);
      expect(headers['retry-after']).to.match(/^\d+$/);
      expect(text).to.contain('<h1>Too many requests</h1>');
      await page(test, '/search', 200, from);
    });
  });
});
