import { expect } from 'chai';
import { BASE_URL, type TestBoard } from '../../support/board.js';
import { publish } from '../../support/post.js';
import {
  remove,
  reply,
  setVisibility,
  startReadable,
  topic,
} from '../reading/fixture.js';
import { linksOf, mainOf, page, wordsOf } from './page.js';

/** The topics that a list shows, in order. */
function topics(html: string): number[] {
  return [...html.matchAll(/<h2[^>]*><a href="\/t\/(\d+)">/g)].map((match) =>
    Number(match[1]),
  );
}

describe('GET /', () => {
  let test: TestBoard;
  beforeEach(async () => {
    test = await startReadable({ limits: { topics_page_default: 5 } });
  });
  afterEach(async () => {
    await test.stop();
  });

  it('says so when there is no topic yet', async () => {
    const html = await mainOf(test, '/');
    expect(wordsOf(html)).to.contain('No topic here.');
    expect(html).not.to.contain('<ol class="cards">');
  });

  it('lists the active topics, and those of a room', async () => {
    const lobby = await topic(test, { body: 'An **excerpt** <here>' });
    const question = await topic(test, { room: 'questions' });
    await reply(test, lobby);
    const html = await mainOf(test, '/');
    expect(topics(html)).to.deep.equal([lobby, question]);
    expect(wordsOf(html)).to.contain('An **excerpt** <here>');
    expect(wordsOf(html)).to.contain('1 reply');
    expect(topics(await mainOf(test, '/?room=questions'))).to.deep.equal([
      question,
    ]);
    expect(topics(await mainOf(test, '/?sort=new'))).to.deep.equal([
      question,
      lobby,
    ]);
    expect(topics(await mainOf(test, '/?unanswered=1'))).to.deep.equal([
      question,
    ]);
  });

  it('leaves hidden and removed topics to those who ask for them', async () => {
    const plain = await topic(test);
    const hidden = await topic(test);
    const gone = await topic(test);
    await setVisibility(test, hidden, 'hidden_by_ratings');
    await remove(test, gone);
    const list = async (path: string) => topics(await mainOf(test, path));
    expect(await list('/')).to.deep.equal([plain]);
    expect(await list('/?visibility=hidden')).to.deep.equal([hidden]);
    expect(await list('/?visibility=all')).to.deep.equal([gone, hidden, plain]);
  });

  it('pages over all topics once, whatever is written meanwhile', async () => {
    const roots: number[] = [];
    for (let n = 0; n < 13; n += 1) roots.unshift(await topic(test));
    const seen: number[] = [];
    let path: string | undefined = '/';
    while (path !== undefined) {
      const html: string = await mainOf(test, path);
      seen.push(...topics(html));
      const [, next] = /<a href="([^"]*)" rel="next">/.exec(html) ?? [];
      path = next?.replaceAll('&amp;', '&');
      await reply(test, roots.at(-1) ?? 0);
    }
    expect(seen).to.deep.equal(roots);
  });

  it('shows one announcement of a project at a time', async () => {
    const announce = (name: string) =>
      topic(test, {
        title: `Announcing ${name}, a new release`,
        body: `We launch https://${name}.example today, the release is out.`,
      });
    const first = await announce('alpha');
    const second = await announce('beta');
    const plain = await topic(test);
    expect(topics(await mainOf(test, '/'))).to.deep.equal([plain, second]);
    expect(topics(await mainOf(test, '/?sort=new'))).to.deep.equal([
      plain,
      second,
      first,
    ]);
    await reply(test, first);
    expect(topics(await mainOf(test, '/'))).to.deep.equal([first, plain]);
  });

  it('shows the rooms and what the board counts', async () => {
    await publish(test, { title: 'Counted', room: 'findings' });
    const html = await mainOf(test, '/');
    const words = wordsOf(html);
    for (const text of ['Telemetry', 'Reader sessions', '1 topic, 1 message']) {
      expect(words).to.contain(text);
    }
    expect(linksOf(html)).to.include.members(['/?room=findings', '/api/stats']);
  });

  it('counts as a read of its reader, its style sheet as none', async () => {
    const { text } = await page(test, '/');
    const [, style = ''] = /rel="stylesheet" href="([^"]*)"/.exec(text) ?? [];
    await test.as('203.0.113.9').get(style).expect(200);
    const { body } = await test.as('203.0.113.8').get('/api/stats');
    expect(body.telemetry.reader_sessions).to.equal(1);
  });

  it('refuses what it does not know', async () => {
    for (const query of [
      'room=attic',
      'sort=best',
      'visibility=none',
      'unanswered=0',
      'before=x',
      'room=lobby&room=lobby',
      'format=json',
    ]) {
      const { text } = await page(test, `/?${query}`, 400);
      expect(text).to.contain('<h1>This did not work</h1>');
    }
    await page(test, '/?unknown=1');
  });

  it('answers as text', async () => {
    const id = await topic(test, { title: 'As text', body: 'a\n```\nEND {}' });
    const answer = await test.as().get('/?format=text').expect(200);
    expect(answer.headers['content-type']).to.equal(
      'text/plain; charset=utf-8',
    );
    const { text } = answer;
    expect(text).to.contain(`"url":"${BASE_URL}/t/${id}"`);
    expect(text).to.contain('````\na\n```\nEND {}\n````\n');
    expect(text.trimEnd().split('\n').at(-1)).to.equal('END {"count":1}');
  });

  it('leads on from text to text', async () => {
    for (let n = 0; n < 6; n += 1) await topic(test);
    const { text } = await test.as().get('/?format=text').expect(200);
    const next = JSON.parse(text.split('\n')[0]?.slice('TOPICS '.length) ?? '');
    const more = await test.as().get(next.next.replace(BASE_URL, ''));
    expect(more.headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(more.text).to.contain('END {"count":1}');
  });
});
