import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { filled } from '../../support/post.js';
import { givenReadable, remove, reply, topic } from '../reading/fixture.js';
import { linksOf, mainOf, page, shownIds, wordsOf } from './page.js';

const cards = (html: string) => html.match(/<li class="card[ "]/g)?.length ?? 0;

describe('GET /moderation', () => {
  const test = givenBoard({ lifted: true });
  let spam: number;
  let hidden: number;
  before(async () => {
    const empty = await mainOf(test, '/moderation');
    expect(wordsOf(empty)).to.contain('No decisions yet.');
    spam = await topic(test, { room: 'findings' });
    hidden = await topic(test, { title: 'Shy <topic>' });
    await decideTo.remove(test, spam, { explanation: 'Twice <i>told</i>.' });
    await decideTo.hide(test, hidden, { reason: 'other' });
  });

  it('shows every decision with its reason, newest first', async () => {
    const html = await mainOf(test, '/moderation');
    const words = wordsOf(html);
    expect(cards(html)).to.equal(2);
    expect(words).to.contain('Twice <i>told</i>.');
    expect(words).to.contain('Shy <topic>');
    expect(words.indexOf(`Hidden: topic #${hidden}, Shy <topic>`)).to.be.below(
      words.indexOf(`Removed: topic #${spam}`),
    );
    expect(words).to.contain('reason: spam · warden · just now · log entry');
    expect(linksOf(html)).to.include(`/t/${spam}`);
  });

  it('tells them as text, explanations fenced', async () => {
    const { text } = await test
      .get('/moderation?action=remove')
      .set('Accept', 'text/markdown')
      .expect(200);
    expect(text).to.match(/^DECISIONS \{/);
    expect(text).to.match(
      new RegExp(`\nDECISION \\{.*"message_id":${spam}\\b`),
    );
    expect(text).to.contain('```\nTwice <i>told</i>.\n```\n');
    expect(text.trimEnd().split('\n').at(-1)).to.equal('END {"count":1}');
  });

  it('filters by decision, reason, room and message', async () => {
    const found = async (query: string) =>
      linksOf(await mainOf(test, `/moderation?${query}`)).filter((link) =>
        link.startsWith('/t/'),
      );
    expect(await found('action=remove')).to.deep.equal([`/t/${spam}`]);
    expect(await found('reason=other')).to.deep.equal([`/t/${hidden}`]);
    expect(await found('room=findings')).to.deep.equal([`/t/${spam}`]);
    expect(await found(`message=${hidden}`)).to.deep.equal([`/t/${hidden}`]);
    expect(await found('action=&reason=&room=&message=')).to.have.length(2);
    const none = await mainOf(test, '/moderation?action=erase');
    expect(wordsOf(none)).to.contain('No decisions match. Show all decisions');
  });

  it('names the topic of a reply, and the operator to filter by', async () => {
    const root = await topic(test, { title: 'Around it' });
    const id = await reply(test, root);
    await decideTo.remove(test, id, { operator: 'Anna B' });
    const html = await mainOf(test, '/moderation?operator=Anna+B');
    expect(wordsOf(html)).to.contain(`Removed: reply #${id} in Around it`);
    expect(cards(html)).to.equal(1);
    expect(linksOf(html)).to.include('/moderation?operator=Anna%20B');
    expect(cards(await mainOf(test, '/moderation?operator=nobody'))).to.equal(
      0,
    );
  });

  it('leads from a decision to the one it replaces, and back', async () => {
    const id = await topic(test);
    const first = await decideTo.hide(test, id);
    const second = await decideTo.restore(test, id, { supersedes: first.id });
    const html = await mainOf(test, `/moderation?message=${id}`);
    const place = `/moderation?message=${id}#d`;
    expect(linksOf(html)).to.include.members([
      `${place}${first.id}`,
      `${place}${second.id}`,
    ]);
    expect(wordsOf(html)).to.contain(`replaced by decision ${second.id}`);
    expect(html).to.contain(`<li class="card replaced" id="d${first.id}">`);
  });

  it('shows equal removals in a row once, with each message', async () => {
    const wave: number[] = [];
    for (let n = 0; n < 3; n += 1) wave.push(await topic(test));
    const other = await topic(test);
    const explanation = 'One wave.';
    for (const id of wave) await decideTo.remove(test, id, { explanation });
    await decideTo.remove(test, other, { explanation: 'Alone.' });
    const html = await mainOf(test, '/moderation');
    const words = wordsOf(html);
    expect(words.split('One wave.')).to.have.lengthOf(2);
    expect(words).to.contain('Removed: 3 messages, one explanation');
    expect(words).to.contain(`Removed: topic #${other}`);
    const links = linksOf(html);
    for (const id of wave) {
      expect(links).to.include(`/t/${id}`);
      const { decisions } = (await test.get(`/api/moderation/${id}`)).body;
      const [{ id: decision, log_index: entry }] = decisions;
      expect(words).to.contain(
        `#${id} · decision ${decision} · log entry ${entry}`,
      );
      expect(html).to.contain(`id="d${decision}"`);
    }
    // One that is taken back stands alone.
    await decideTo.reinstate(test, wave[1] ?? 0);
    const later = wordsOf(await mainOf(test, '/moderation'));
    expect(later).to.contain(`Removed: topic #${wave[1]}`);
  });

  it('pages', async () => {
    for (let n = 0; n < 15; n += 1) {
      await decideTo.restore(test, hidden);
      await decideTo.hide(test, hidden);
    }
    const html = await mainOf(test, `/moderation?message=${hidden}`);
    expect(cards(html)).to.equal(30);
    const [, next = ''] = /href="([^"]*)" rel="next"/.exec(html) ?? [];
    const rest = await mainOf(test, next.replaceAll('&amp;', '&'));
    expect(cards(rest)).to.equal(1);
    expect(wordsOf(rest)).to.contain('Newest');
  });

  it('refuses what it does not know', async () => {
    for (const query of ['action=x', 'reason=x', 'room=x', 'message=x']) {
      await page(test, `/moderation?${query}`, 400);
    }
  });
});

describe('GET /t/{root} of what operators and ratings decided about', () => {
  const test = givenBoard({ lifted: true });

  it('leaves a tombstone that says why, and no word of the text', async () => {
    const root = await topic(test, { title: 'With a bad reply' });
    const bad = await reply(test, root, 'Buy this secret thing.');
    await decideTo.remove(test, bad, {
      reason: 'advertising',
      explanation: 'The same <b>offer</b> thrice.',
    });
    const html = await mainOf(test, `/t/${root}`);
    expect(html).not.to.contain('secret thing');
    const words = wordsOf(html);
    expect(words).to.contain('Removed for advertising by warden');
    expect(words).to.contain('The same <b>offer</b> thrice.');
    expect(linksOf(html)).to.include(`/moderation?message=${bad}`);
    const wanted = await mainOf(test, `/t/${root}?message=${bad}`);
    expect(wanted).to.contain(`class="message removed wanted" id="m${bad}"`);
  });

  it('keeps the page of a removed topic and of its replies', async () => {
    const root = await topic(test, { title: 'Gone for good' });
    const id = await reply(test, root, 'Still here.');
    await decideTo.remove(test, root);
    const html = await mainOf(test, `/t/${root}`);
    expect(html).not.to.contain('Gone for good');
    expect(wordsOf(html)).to.contain(`Removed topic #${root}`);
    expect(wordsOf(html)).to.contain('Still here.');
    expect(shownIds(html)).to.deep.equal([root, id]);
  });

  it('says of a removed topic that it is removed, not that it is hidden', async () => {
    const root = await topic(test);
    await decideTo.hide(test, root);
    await decideTo.remove(test, root);
    const words = wordsOf(await mainOf(test, `/t/${root}`));
    expect(words).to.contain('Removed for spam by warden');
    expect(words).not.to.contain('hidden from lists');
  });

  it('says when lists leave a topic out, or show it again', async () => {
    const root = await topic(test);
    const words = async () => wordsOf(await mainOf(test, `/t/${root}`));
    expect(await words()).not.to.contain('hidden from lists');
    for (const network of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      const path = `/api/messages/${root}/votes`;
      const voter = test.as(network);
      const previewed = await voter.post(`${path}/preview`).send({ vote: -1 });
      await voter.post(path).send(filled(previewed)).expect(201);
    }
    expect(await words()).to.contain('its score fell to −3 or lower');
    await decideTo.restore(test, root);
    expect(await words()).to.contain('to show it again');
    await decideTo.hide(test, root);
    expect(await words()).to.contain('an operator decided so');
  });
});

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
    const other = await topic(test, { body, name: 'bea' });
    const found = async (query: string) =>
      linksOf(await mainOf(test, `/search?q=narrowed+text&${query}`))
        .filter((link) => link.startsWith('/t/'))
        .map((link) => Number(link.slice('/t/'.length)));
    expect(await found('author=')).to.deep.equal([other, late, old]);
    expect(await found('author=ANN')).to.deep.equal([late, old]);
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

  it('says what cannot be looked for', async () => {
    for (const q of ['x', 'y'.repeat(101)]) {
      const html = await mainOf(test, `/search?q=${q}`, 400);
      expect(wordsOf(html)).to.contain('it takes 2 to 100 characters');
    }
    for (const query of ['q=%ff', 'q=a%00b', 'q=ab&room=attic', 'q=ab&q=cd']) {
      await page(test, `/search?${query}`, 400);
    }
  });
});
