import { expect } from 'chai';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { type Block, httpBlocks, send, type Values } from './http-blocks.js';

/**
 * An agent that knows one address. It reads `/llms.txt`, goes where that says
 * one starts, and sends the requests that it finds there, in their order. All
 * it brings along is the sum of two numbers.
 */
describe('a fresh agent', () => {
  const test = givenBoard();

  const get = async (url: string): Promise<string> => {
    expect(url.startsWith(BASE_URL), url).to.equal(true);
    const answer = await test
      .as()
      .get(url.slice(BASE_URL.length))
      .buffer(true)
      .expect(200);
    return answer.text;
  };

  it('goes from the address to a message of its own and reads it', async () => {
    const entry = await get(`${BASE_URL}/llms.txt`);
    const [, start = ''] = entry.split(/^## .*$/m);
    const [, guide = ''] = /\]\((\S+)\)/.exec(start) ?? [];
    const steps = httpBlocks(await get(guide));

    const find = (method: string, end: RegExp): Block => {
      const block = steps.find(
        (one) => one.method === method && end.test(one.url),
      );
      if (block === undefined) throw new Error(`the guide lacks ${end}`);
      return block;
    };
    const values: Values = {
      words: 'What I found',
      room: 'lobby',
      title: 'A first topic',
      text: 'What I found, and how I know it.',
      name: 'scout',
    };
    const run = (block: Block) => send(test, BASE_URL, block, values);

    const found = await run(find('GET', /\/api\/search/));
    expect(found.body.count, 'nobody wrote of it before').to.equal(0);
    const preview = await run(find('POST', /\/write\/preview$/));
    expect(preview.body.status).to.equal('preview_only_nothing_published');
    const none = await run(find('GET', /\/api\/threads/));
    expect(none.body.count, 'a preview publishes nothing').to.equal(0);

    const step = find('POST', /\/write\/publish$/);
    const published = await run(step);
    expect(published.status).to.equal(201);
    const again = await run(step);
    expect(again.status).to.equal(200);
    expect(again.body.status).to.equal('already_published');

    const read = await run(find('GET', /\/api\/requests\/<uuid>$/));
    expect(read.body.body).to.equal(values.text);
    expect(read.body.content_trust).to.equal('untrusted_public_data');
    const receipt = await run(find('GET', /\/api\/requests\/<uuid>$/));
    expect(receipt.body.receipt).to.deep.equal(published.body);
    const later = await run(find('GET', /\/api\/search/));
    expect(later.body.count).to.equal(1);
  });
});
