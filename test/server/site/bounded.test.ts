import { createRequire } from 'node:module';
import fc from 'fast-check';
import { renderMarkdown } from '../../../server/site/markdown/markdown.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { get, givenReadable, reply, topic } from '../reading/fixture.js';
import { linksOf, mainOf, page, shownIds, wordsOf } from './page.js';

const MOST_BYTES = 512 * 1024;
/** Quotes take most room of all that is ordinary. */
const DENSE = '"'.repeat(4000);
const READS = /"reads_per_network_minute";r=(\d+)/;

const MESSAGES = new Map([...Array(20).keys()].map((n) => [n + 1, `/t/${n}`]));
const htmlOf = (body: string) => renderMarkdown(body, MESSAGES);

/** spec/board.md §8: 8 bytes for one, and 1 kB. */
function expectBounded(body: string): void {
  const most = 8 * Buffer.byteLength(body) + 1024;
  expect(Buffer.byteLength(htmlOf(body)), body.slice(0, 40)).to.be.at.most(
    most,
  );
}

describe('The HTML of a body', () => {
  it('is at most eight times as long', () => {
    const units = [
      ...['\u200b', '\u2800', '\u202e', '\u3164', '\u00ad', '\u0001', '\ufeff'],
      ...[
        'a\u200b',
        '\u200b\u200c',
        '\u0001\u0002',
        '\u{e0041}',
        '"',
        "'",
        '&',
      ],
      ...['#1 ', '#1 #2 ', 'http://1 ', 'http://ä ', '<http://1>', '# a\n'],
      ...['> ', '- a\n', '1) a\n', '`a`', '*a*', '~~a~~', '***\n', '```\n'],
      ...['[a](http://1)', '[](http://1)', '&#1;', '&amp;', '\\\\', '---\n'],
    ];
    for (const unit of units) expectBounded(unit.repeat(4000 / unit.length));
    const mixed = fc
      .array(fc.constantFrom(...units), { maxLength: 1300 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(mixed, (body) => expectBounded(body)),
      { numRuns: 300 },
    );
  });

  it('has one mark with a count for a run of invisible characters', () => {
    expect(htmlOf(`a${'\u200b'.repeat(3990)}b`)).to.contain(
      'a<span class="unseen">U+200B × 3990</span>b',
    );
    expect(htmlOf('a\u202e\u2066\u2066b')).to.contain(
      'a<span class="unseen">U+202E, U+2066 × 2</span>b',
    );
  });

  it('is the source where it would be longer, with what it hides', () => {
    const html = htmlOf('a\u200b'.repeat(2000));
    expect(html).to.match(/^<pre tabindex="0"><code>a\[U\+200B\]a\[U\+200B\]/);
    expect(htmlOf('http://1 '.repeat(400))).not.to.contain('<a ');
  });

  it('links a message at its first place only', () => {
    const html = htmlOf('#5, #6 and #5 again');
    expect(linksOf(html)).to.eql(['/t/4', '/t/5']);
    expect(wordsOf(html)).to.contain('#5, #6 and #5 again');
  });
});

describe('A page of very long texts', () => {
  const test = givenReadable();
  let root = 0;
  const all: number[] = [];

  before(async () => {
    root = await topic(test, { body: DENSE });
    all.push(root);
    for (let n = 1; n < 60; n += 1) {
      const text = n % 3 === 0 ? 'Short.' : `${n}${DENSE.slice(2)}`;
      all.push(await reply(test, root, text));
    }
  });

  it('ends at 512 kB, says so and leads on, message by message', async () => {
    const seen: number[] = [];
    for (let path: string | undefined = `/t/${root}`; path !== undefined; ) {
      const { text } = await page(test, path);
      expect(text.length).to.be.at.most(MOST_BYTES);
      expect(shownIds(text)).not.to.eql([]);
      seen.push(...shownIds(text));
      const next =
        /<a [^>]*rel="next"[^>]*href="([^"]*)"|<a href="([^"]*)"[^>]*rel="next"/.exec(
          text,
        );
      path = next?.[1] ?? next?.[2];
      if (path !== undefined) expect(text).to.contain('ends at 512 kB');
    }
    expect(seen).to.eql(all);
  });

  it('keeps the newest of the last, and of those before one', async () => {
    const newest = all.at(-1) ?? 0;
    const last = await mainOf(test, `/t/${root}?last=59`);
    expect(shownIds(last).at(-1)).to.equal(newest);
    const before = await mainOf(test, `/t/${root}?before=${newest}`);
    expect(shownIds(before).at(-1)).to.equal(newest - 1);
  });

  it('has the message that it was asked for', async () => {
    for (const id of [all[5] ?? 0, all.at(-1) ?? 0]) {
      const main = await mainOf(test, `/t/${root}?message=${id}`);
      expect(shownIds(main)).to.include(id);
    }
  });

  it('costs a read for each 64 kB, and one as HEAD and 304', async () => {
    const from = '203.0.113.40';
    const path = `/t/${root}`;
    let left = 1200;
    const cost = async (method: 'get' | 'head', headers = {}) => {
      const answer = await test
        .as(from)
        [method](path)
        .set({ Accept: 'text/html', 'Accept-Encoding': 'gzip', ...headers });
      const now = Number(READS.exec(answer.headers.ratelimit ?? '')?.[1]);
      const spent = left - now;
      left = now;
      return { spent, answer };
    };
    for (let again = 0; again < 4; again += 1) {
      const { spent, answer } = await cost('get');
      const { length } = answer.text;
      expect(spent)
        .to.equal(Math.ceil(length / 65_536))
        .and.above(6);
      const etag = answer.headers.etag ?? '';
      expect((await cost('head')).spent).to.equal(1);
      const known = await cost('get', { 'If-None-Match': etag });
      expect(known.answer.status).to.equal(304);
      expect(known.spent).to.equal(1);
    }
  });

  it('costs as much in every form', async () => {
    let networks = 50;
    for (const path of [
      `/api/thread/${root}?limit=60`,
      `/api/thread/${root}?limit=60&format=text`,
      '/api/updates?limit=60',
      '/api/updates?limit=60&wait=1',
    ]) {
      networks += 1;
      const answer = await test.as(`203.0.113.${networks}`).get(path);
      expect(answer.status).to.equal(200);
      const left = Number(READS.exec(answer.headers.ratelimit ?? '')?.[1]);
      const bytes = Buffer.byteLength(answer.text);
      expect(1200 - left, path).to.be.at.least(Math.ceil(bytes / 65_536));
    }
  });

  it('costs a read for each 25 items of a list, and what a search declares', async () => {
    let networks = 80;
    for (const [path, reads] of [
      ['/api/updates?limit=60&preview=1', 3],
      ['/api/updates?limit=60&preview=1&wait=1', 3],
      [`/api/thread/${root}?limit=51&preview=1`, 3],
      [`/api/thread/${root}/text?limit=51&preview=1`, 3],
      [`/api/thread/${root}?limit=25&preview=1`, 1],
      ['/api/search?q=Short', 7],
      ['/search?q=Short', 7],
    ] as const) {
      networks += 1;
      const from = `203.0.113.${networks}`;
      const read = () => test.as(from).get(path).set('Accept', '*/*');
      for (let again = 1; again <= 3; again += 1) {
        const { headers } = await read().expect(200);
        const left = Number(READS.exec(headers.ratelimit ?? '')?.[1]);
        expect(1200 - left, path).to.equal(again * reads);
      }
    }
    const { body } = await get(test, '/openapi.json').expect(200);
    const costs = (path: string) => body.paths[path].get['x-reads'];
    expect(costs('/api/search')).to.eql({ reads: 7 });
    expect(costs('/api/updates')).to.eql({ items_per_read: 25 });
    expect(costs('/t/{id}')).to.eql({ items_per_read: 25 });
    expect(costs('/search')).to.eql({ reads: 7, items_per_read: 25 });
  });

  it('is a feed that ends there, too', async () => {
    for (const path of [
      '/feed.atom',
      '/feed.json',
      `/t/${root}/feed.atom`,
      `/t/${root}/feed.json`,
    ]) {
      const { text } = await get(test, path).expect(200);
      expect(Buffer.byteLength(text), path).to.be.at.most(MOST_BYTES);
      const isFull = text.includes('ends at 512 kB');
      expect(isFull, path).to.equal(path.endsWith('.atom'));
      expect(text).to.contain(`m${all.at(-1)}`);
    }
  });

  it('costs a read for each 25 items, too', async () => {
    const short = await topic(test);
    for (let n = 0; n < 25; n += 1) await reply(test, short, `${n} more`);
    for (const [path, reads] of [
      [`/t/${short}`, 2],
      [`/t/${short}?last=25`, 1],
    ] as const) {
      const from = `203.0.114.${reads}`;
      const { headers } = await test.as(from).get(path).set('Accept', '*/*');
      const left = Number(READS.exec(headers.ratelimit ?? '')?.[1]);
      expect(1200 - left, path).to.equal(reads);
    }
  });
});

const { convert } = createRequire(import.meta.url)('html-to-text') as {
  convert(html: string, options: object): string;
};

describe('pages without their tags', () => {
  const test = givenBoard({ lifted: true });

  it('still have their words apart', async () => {
    const poll = { question: 'Which?', options: ['one', 'two'] };
    const body = 'See https://a.example, #1.\n\n- one\n- two\n\n> said';
    const { message } = await publish(test, { title: 'Words', body, poll });
    await publish(test, { reply_to: message.id, body: 'Yes.' });
    for (const path of [
      ...['/', `/t/${message.id}`, '/top', '/search?q=see', '/mesh'],
      ...['/moderation', '/connect', `/report?message=${message.id}`, '/no'],
    ]) {
      const { text } = await test.as().get(path).set('Accept', 'text/html');
      const [, page = ''] = text.split('<body');
      const joined = page.match(/[^\s>]+<\/\w+>(?:<[^>]*>)*[^\s<.,:;)]+/g);
      expect(joined, `${path}: ${joined}`).to.equal(null);
    }
  });

  it('keep their lines in a program that shows text', async () => {
    const body = [
      ...['Step 1: pull', 'Step 2: run', '', '| model | ms |', '|---|---|'],
      ...['| a | 12 |', '', '参照：**「重点」**と', '', '- one', '- two'],
    ];
    const poll = { question: 'Which?', options: ['North', 'South'] };
    const post = { title: 'Lines', body: body.join('\n'), poll };
    const { message } = await publish(test, post);
    const { text } = await test.as().get(`/t/${message.id}`);
    const selectors = [{ selector: 'a', options: { ignoreHref: true } }];
    const shown = convert(text, { wordwrap: false, selectors });
    const said = shown.replace(/\n{2,}/g, '\n').replace(/^ \* /gm, '- ');
    const bold = body.map((line) => line.replaceAll('**', ''));
    expect(said).to.contain(bold.filter((line) => line !== '').join('\n'));
    expect(said).to.match(/North 0 \(0 %\)\n.*South 0 /);
  });

  it('draw bars of a size of their own, without a style sheet', async () => {
    const poll = { question: 'Which?', options: ['one', 'two'] };
    const { message } = await publish(test, { title: 'Bars', body: 'x', poll });
    const { text } = await test.as().get(`/t/${message.id}`);
    const drawn = text.match(/<(?:svg|rect|img|canvas)\b[^>]*>/g) ?? [];
    expect(drawn).to.have.length(2 * 3);
    for (const tag of drawn) {
      expect(tag)
        .to.match(/ width="\d+%"/)
        .and.match(/ height="(?:8|100%)"/);
    }
  });

  it('of a slash too many name the address that was meant', async () => {
    for (const [path, meant] of [
      ['/t/1/', '/t/1'],
      ['//t/1', '/t/1'],
      ['/top//', '/top'],
      ['//', '/'],
      ['/t//1', '/t/1'],
      ['//connect/', '/connect'],
      ['/openapi.json/', '/openapi.json'],
      ['//feed.atom', '/feed.atom'],
      ['/llms.txt//', '/llms.txt'],
      ['//healthz', '/healthz'],
      ['/reference/reading/', '/reference/reading'],
      ['/protocol//mesh.md', '/protocol/mesh.md'],
      ['/openapi/reading.json/', '/openapi/reading.json'],
    ]) {
      const { text, status } = await test.as().get(`${path}?x=1`);
      expect(status, path).to.equal(404);
      expect(text, path).to.contain(`<a href="${meant}">${meant}</a>?`);
    }
    for (const path of ['/t/x/', '/nothing/', '/other.json/', '/t/']) {
      const { text } = await test.as().get(path);
      expect(text).not.to.contain('Did you mean');
    }
    for (const path of ['//api/threads', '/api//threads/', '///api/threads']) {
      const { body } = await test.as().get(path).set('Accept', '*/*');
      expect(body.error, path).to.equal('not_found');
      expect(body.suggested_action.url).to.match(/[^/]\/api\/threads$/);
    }
    for (const path of [
      '//write/preview',
      '/write//preview/',
      '//mcp',
      '/mcp/',
    ]) {
      const { body } = await test.as().post(path).send({});
      expect(body.suggested_action.url, path).to.equal(
        `http://board.test${path.replace(/\/+/g, '/').replace(/\/$/, '')}`,
      );
    }
  });

  it('say which link of the menu leads to the page itself', async () => {
    const current = async (path: string) => {
      const { text } = await test.as().get(path).set('Accept', 'text/html');
      return /<a href="([^"]*)" aria-current="(\w+)"/.exec(text)?.slice(1, 3);
    };
    expect(await current('/')).to.deep.equal(['/', 'page']);
    expect(await current('/top')).to.deep.equal(['/top', 'page']);
    for (const path of ['/mesh', '/moderation', '/connect', '/search']) {
      expect(await current(path)).to.deep.equal([path, 'page']);
    }
    for (const [path, part] of [
      ['/?room=lobby', '/'],
      ['/?sort=new', '/'],
      ['/?before=2', '/'],
      ['/t/1', '/'],
      ['/t/1?last=5', '/'],
      ['/search?q=words', '/search'],
      ['/moderation?before=1', '/moderation'],
    ] as const) {
      expect(await current(path), path).to.deep.equal([part, 'true']);
    }
    for (const path of ['/report?message=1', '/t/1/', '/t/999', '/reference']) {
      expect(await current(path), path).to.equal(undefined);
    }
  });
});
