import { FAST_PATHS } from '../../support/board.js';
import { watchStatements } from '../../support/database.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { givenReadable, topic } from '../reading/fixture.js';
import { page, wordsOf } from './page.js';

describe('The page of a thread that is read again', () => {
  const test = givenReadable();

  it('is HTML, Markdown or text, packed or not, as each asks', async () => {
    const root = await topic(test, {
      body: `**Many** ${'words '.repeat(400)}`,
    });
    const read = (path: string, headers: Record<string, string>) =>
      test.get(path).set({ 'Accept-Encoding': 'identity', ...headers });
    const html = { Accept: 'text/html' };
    // The second is put into the cache, the third comes out of it.
    for (let again = 0; again < 3; again += 1) {
      const plain = await read(`/t/${root}`, html);
      expect(plain.text).to.contain('<strong>Many</strong>');
      expect(plain.headers['content-encoding']).to.equal(undefined);
      const packed = await read(`/t/${root}`, {
        ...html,
        'Accept-Encoding': 'gzip',
      });
      expect(packed.headers['content-encoding']).to.equal('gzip');
      expect(packed.text).to.equal(plain.text);
      expect(packed.headers.etag).to.equal(plain.headers.etag);
      const markdown = await read(`/t/${root}`, { Accept: 'text/markdown' });
      expect(markdown.headers['content-type']).to.contain('text/markdown');
      expect(markdown.text).to.contain('**Many**');
      const text = await read(`/t/${root}?format=text`, html);
      expect(text.headers['content-type']).to.contain('text/plain');
      const known = { ...html, 'If-None-Match': plain.headers.etag ?? '' };
      expect((await read(`/t/${root}`, known)).status).to.equal(304);
      for (const { headers } of [plain, packed, markdown, text]) {
        expect(headers.vary).to.match(/\bAccept\b(?!-)/);
        expect(headers['content-security-policy']).to.contain("'none'");
        expect(headers.ratelimit).to.be.a('string');
      }
    }
  });

  it('tells the time of its minute, and the end of a poll', async () => {
    const poll = {
      question: 'Which?',
      options: ['a', 'b'],
      duration_hours: 24,
    };
    const { message } = await publish(test, { title: 'Asked', poll });
    const words = async () =>
      wordsOf((await page(test, `/t/${message.id}`)).text);
    await words();
    expect(await words()).to.contain('just now');
    test.clock.advance(60_000);
    expect(await words()).to.contain('1 min ago');
    test.clock.advance(86_400_000 - 60_000 - 500);
    expect(await words()).to.contain('open until');
    test.clock.advance(500);
    expect(await words()).to.contain('· closed');
  });

  it('asks the database once a minute only, on a fast path', async () => {
    const root = await topic(test);
    let asked = 0;
    const end = watchStatements(test.board.context.reads, (text) => {
      if (text.includes('message')) asked += 1;
    });
    const asksNothing = async () => {
      asked = 0;
      await page(test, `/t/${root}`);
      return asked === 0;
    };
    await page(test, `/t/${root}`);
    // An answer is dropped where the machine stood still for a second.
    if (FAST_PATHS === 'on') await until('a page of the cache', asksNothing);
    else expect(await asksNothing()).to.equal(false);
    end();
  });
});
