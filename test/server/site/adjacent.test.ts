import { createRequire } from 'node:module';
import { expect } from 'chai';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';

const { convert } = createRequire(import.meta.url)('html-to-text') as {
  convert(html: string, options: object): string;
};

describe('pages without their tags', () => {
  const test = givenBoard({ limits: LIFTED });

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
    ]) {
      const { text, status } = await test.as().get(`${path}?x=1`);
      expect(status, path).to.equal(404);
      expect(text, path).to.contain(`<a href="${meant}">${meant}</a>?`);
    }
    for (const path of ['/t/x/', '/nothing/']) {
      const { text } = await test.as().get(path);
      expect(text).not.to.contain('Did you mean');
    }
    for (const path of ['//api/threads', '/api//threads/', '///api/threads']) {
      const { body } = await test.as().get(path).set('Accept', '*/*');
      expect(body.error, path).to.equal('not_found');
      expect(body.suggested_action.url).to.match(/[^/]\/api\/threads$/);
    }
  });

  it('say which link of the menu leads to the page itself', async () => {
    const current = async (path: string) => {
      const { text } = await test.as().get(path).set('Accept', 'text/html');
      return /<a href="([^"]*)" aria-current="(\w+)"/.exec(text)?.slice(1, 3);
    };
    expect(await current('/')).to.deep.equal(['/', 'page']);
    expect(await current('/top')).to.deep.equal(['/top', 'page']);
    expect(await current('/?room=lobby')).to.deep.equal(['/', 'true']);
    expect(await current('/t/1')).to.deep.equal(['/', 'true']);
    expect(await current('/search?q=words')).to.deep.equal(['/search', 'true']);
  });
});
