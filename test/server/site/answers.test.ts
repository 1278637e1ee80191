import { BASE_URL } from '../../support/board.js';
import { watchStatements } from '../../support/database.js';
import { withLimits } from '../../support/limits.js';
import { publish } from '../../support/post.js';
import { checkHeaders } from '../http/openapi/header-rules.js';
import { givenReadable, startReadable, topic } from '../reading/fixture.js';
import { page } from './page.js';

const JSON_ = 'application/json';
/** `Accept` itself and not only `Accept-Encoding`. */
const BY_FORM = /(?:^|,) *Accept *(?:,|$)/;

describe('The human pages', () => {
  const test = givenReadable();
  let pages: string[];
  before(async () => {
    const id = await topic(test, { title: 'One', body: 'Text of **one**.' });
    await publish(test, { body: 'A reply.', reply_to: id, vote: 1 });
    pages = [
      ...['/', `/t/${id}`, '/top', '/search', '/search?q=text'],
      ...['/moderation', '/mesh', '/connect'],
    ];
  });

  it('are dressed as pages, whatever became of the request', async () => {
    for (const [path, status] of [
      ...pages.map((one) => [one, 200] as const),
      ['/t/999', 404] as const,
      ['/no/page', 404] as const,
      ['/?room=attic', 400] as const,
    ]) {
      const answer = await page(test, path, status);
      checkHeaders(answer, path, true);
      const { headers } = answer;
      expect(headers['permissions-policy']).to.contain('camera=()');
      expect(headers['x-board-participation']).to.be.a('string');
      expect(headers['cache-control']).to.equal(
        status === 200 ? 'public, max-age=0, must-revalidate' : 'no-store',
      );
    }
  });

  it('are packed for whoever takes gzip, and for nobody else', async () => {
    for (const path of [...pages, '/rules.md', '/reference', '/openapi.json']) {
      const asked = (encoding: string) =>
        test
          .get(path)
          .set('Accept', 'text/html')
          .set('Accept-Encoding', encoding)
          .expect(200);
      const plain = await asked('gzip;q=0, identity');
      const small = await asked('br;q=1, gzip;q=0.8');
      expect(plain.headers, path).not.to.have.property('content-encoding');
      expect(plain.headers.vary).to.contain('Accept-Encoding');
      expect(small.headers['content-encoding'], path).to.equal('gzip');
      expect(Number(small.headers['content-length'])).to.be.below(
        Number(plain.headers['content-length']) / 1.5,
      );
      if (path === '/') continue; // its counters move
      expect(small.text, path).to.equal(plain.text);
      // One tag for both, weak: the bytes differ, what they say does not.
      expect(small.headers.etag, path).to.equal(plain.headers.etag);
      expect(small.headers.etag, path).to.match(/^W\/"/);
      const again = await test
        .get(path)
        .set('Accept', 'text/html')
        .set('If-None-Match', small.headers.etag ?? '');
      expect(again.status, path).to.equal(304);
      if (pages.includes(path)) expect(again.headers.vary).to.match(BY_FORM);
    }
  });

  it('hold no script, no style of their own and no form that writes', async () => {
    for (const path of pages) {
      const { text } = await page(test, path);
      expect(text).not.to.match(/<script|<iframe|<object|<embed|\son[a-z]+=/i);
      expect(text).not.to.match(/\sstyle=|<style/i);
      expect(text).not.to.match(/method="post"/i);
      expect(text).not.to.match(/(?:href|action)="[^"]*\/write/);
      expect(text).not.to.match(/votes\/preview|\/api\/reports/);
      for (const [, address] of text.matchAll(/(?:src|href)="([^"]*)"/g)) {
        expect(address).to.match(/^(?:\/(?!\/)|#|http:\/\/board\.test)/);
      }
    }
  });

  it('share one style sheet that may be kept for a year', async () => {
    const { text } = await page(test, '/');
    const [, path = ''] = /rel="stylesheet" href="([^"]*)"/.exec(text) ?? [];
    expect(path).to.match(/^\/style-[0-9a-f]{16}\.css$/);
    const style = await test.as().get(path).expect(200);
    expect(style.headers['content-type']).to.equal('text/css; charset=utf-8');
    expect(style.headers['cache-control']).to.equal(
      'public, max-age=31536000, immutable',
    );
    expect(style.text).not.to.match(/url\(|@import/);
    await test.as().get('/style-0000000000000000.css').expect(404);
  });

  it('have an icon at the address that programs ask for', async () => {
    const { headers, body } = await test.as().get('/favicon.ico').expect(200);
    expect(headers['content-type']).to.equal('image/x-icon');
    expect(headers['cache-control']).to.contain('must-revalidate');
    expect(Buffer.from(body).readUInt16LE(2)).to.equal(1);
  });

  it('turn into text for whoever accepts Markdown by name', async () => {
    for (const path of pages.filter((one) => one !== '/search')) {
      const answer = await test
        .get(path)
        .set('Accept', 'text/markdown, text/html, */*;q=0.1')
        .expect(200);
      expect(answer.headers['content-type'], path).to.equal(
        'text/markdown; charset=utf-8',
      );
      expect(answer.headers.vary).to.match(BY_FORM);
      const tag = answer.headers.etag ?? '';
      const dressed = test.as().get(path).set('Accept', 'text/html');
      await dressed.set('If-None-Match', tag).expect(200);
      const more = path.includes('?') ? '&' : '?';
      const text = await test
        .get(`${path}${more}format=text`)
        .set('Accept', 'text/html')
        .expect(200);
      expect(text.text, path).to.equal(answer.text);
      expect(text.headers['content-type']).to.equal(
        'text/plain; charset=utf-8',
      );
      expect(text.headers['x-board-participation']).to.be.a('string');
      // Only the first page shows how to post.
      expect(/\/write\/preview/.test(text.text), path).to.equal(path === '/');
      expect(text.text).not.to.match(/votes\/preview|"actions"/);
    }
    for (const path of ['/t/1', '/search?q=text']) {
      const { text } = await test.as().get(path).set('Accept', 'text/markdown');
      expect(text, path).to.contain('Text of **one**.');
    }
    for (const accept of [
      'text/html, text/markdown;q=0.9',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      '*/*',
    ]) {
      const answer = await test.as().get('/t/1').set('Accept', accept);
      expect(answer.headers['content-type'], accept).to.equal(
        'text/html; charset=utf-8',
      );
    }
  });

  it('refuse as text what cannot be looked for', async () => {
    for (const path of ['/search', '/search?q=x']) {
      const answer = await test.as().get(path).set('Accept', 'text/markdown');
      expect(answer.status, path).to.equal(400);
      expect(answer.body).to.include({ error: 'invalid_input', field: 'q' });
    }
  });

  it('leave the ways to write out of their text', async () => {
    const { text } = await test.as().get('/t/1?format=text').expect(200);
    expect(text).not.to.contain('/preview');
    expect(text).not.to.contain('"actions"');
    expect(text).to.match(/^THREAD \{/);
    expect(text.trimEnd().split('\n').at(-1)).to.equal(
      'END {"count":2,"cursor":2}',
    );
  });

  it('send old addresses on, and who reads JSON to the same as JSON', async () => {
    for (const [from, to, accept = 'text/html'] of [
      ['/my', '/'],
      ['/selections', '/top'],
      ['/search?q=%C3%A9&room=lobby', '/api/search?q=%C3%A9&room=lobby', JSON_],
      ['/agents/a%2F1?before=9', '/api/profiles/a%2F1?before=9', JSON_],
      ['/mesh/x.example/t/7', '/api/thread/7?board=x.example', JSON_],
      ['/mesh/x?before=9', '/api/threads?board=x&before=9', JSON_],
    ] as const) {
      const answer = await test.as().get(from).set('Accept', accept);
      expect(answer.status, from).to.equal(302);
      expect(answer.headers.location).to.equal(`${BASE_URL}${to}`);
    }
    const asked = test.as().get('/top?format=text').set('Accept', JSON_);
    await asked.expect(200).expect('Content-Type', /^text\/plain/);
  });

  it('tell errors as JSON to programs, and where programs read', async () => {
    for (const [path, accept] of [
      ['/t/999', 'application/json'],
      ['/?room=attic', 'application/json, text/html;q=0.5'],
      ['/?room=attic', '*/*'],
      ['/t/1?format=json', ''],
      ['/api/thread/999', 'text/html'],
      ['/write/preview', 'text/html'],
    ] as const) {
      const { body, headers } = await test.as().get(path).set('Accept', accept);
      expect(headers['content-type'], path).to.contain('application/json');
      expect(body.error).to.be.a('string');
    }
    for (const accept of ['*/*', 'text/html', '']) {
      const answer = await test.as().get('/t/999').set('Accept', accept);
      expect(answer.status).to.equal(404);
      expect(answer.headers['content-type']).to.contain('text/html');
    }
  });

  it('say when the database is away', async () => {
    const away = await startReadable();
    watchStatements(away.board.context.reads, () => {
      throw Object.assign(new Error('gone'), { code: '57P01' });
    });
    for (const path of ['/', '/t/1', '/moderation', '/mesh']) {
      const { headers, text } = await page(away, path, 503);
      expect(headers['retry-after']).to.match(/^\d+$/);
      expect(text).to.contain('<h1>Not available just now</h1>');
    }
    await away.stop();
  });

  it('answer whatever is asked without failing', async () => {
    const long = 'x'.repeat(3000);
    for (const path of [
      '/t/%00',
      '/t/%ff',
      '/t/1%2f..',
      '/t/1?message=%00',
      '/t/1?last=100&since=999999999999999',
      '/t/1?before=0',
      '/?before=0&snapshot=999999999999999&sort=active',
      '/?snapshot=0',
      '/?__proto__=1&constructor=x',
      `/?room=${long}`,
      `/search?q=${long}`,
      '/search?q=%F0%9F%98%80%E2%80%AE',
      '/search?q=%25_%5C&before=0',
      '/moderation?before=0',
      '/moderation?message=999999999999999',
      '/mesh/%2e%2e',
      `/mesh/${long}/t/1`,
      '/mesh/__proto__',
      '/t/__proto__',
    ]) {
      const answer = await test.as().get(path).set('Accept', 'text/html');
      expect(answer.status, path).to.be.below(500);
      expect(answer.headers['content-type'], path).to.contain('text/html');
    }
  });

  it('keep to the number of reads of a network', async () => {
    await withLimits(test, { reads_per_network_minute: 2 }, async (from) => {
      await page(test, '/', 200, from);
      await page(test, '/connect', 200, from);
      const { headers, text } = await page(test, '/', 429, from);
      expect(headers['retry-after']).to.match(/^\d+$/);
      expect(text).to.contain('Try again in');
    });
  });
});
