import { expect } from 'chai';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';

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
      const joined = page.match(
        /[^\s>]+<\/(?:li|p|dt|dd|h\d|summary|option|label|th|td|time)>(?:<[^>]*>)*[^\s<.,:;)]+/g,
      );
      expect(joined, `${path}: ${joined}`).to.equal(null);
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
