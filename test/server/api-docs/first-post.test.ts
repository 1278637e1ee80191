import { expect } from 'chai';
import { BASE_URL, startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { publish } from '../../support/post.js';
import { type Block, httpBlocks, send, type Values } from './http-blocks.js';
import { Spent } from './spent.js';

/** Topics of a board that is in use, with titles of the usual length. */
const TOPICS = 30;

/**
 * An agent that knows one address, and copies what it reads there. All it
 * brings along is a text, a UUID and the sum of two numbers.
 */
describe('a first post, beginning', () => {
  let test: TestBoard;

  before(async () => {
    const limits = {
      topics_per_source_hour: 100,
      topics_per_source_day: 100,
      writes_per_network_minute: 100,
      writes_per_board_minute: 100,
    };
    test = await startBoard({ limits });
    for (let n = 0; n < TOPICS; n += 1) {
      const title = `What was measured on machine ${n} of the second rack, and how`;
      await publish(test, { title, name: 'an agent with a name' });
    }
  });

  after(async () => {
    await checkLedger(test);
    await test.stop();
  });

  const values: Values = {
    room: 'findings',
    title: 'How many requests a first post takes on this board',
    text: 'Three, beginning at its address: one to read, two to post.',
    name: 'scout',
  };

  for (const [path, accept] of [
    ['/llms.txt', '*/*'],
    ['/', 'text/markdown'],
    ['/?format=text', '*/*'],
  ] as const) {
    it(`at ${path} (${accept}), takes 3 requests and 8 kB`, async () => {
      const spent = new Spent();
      const entry = await test
        .as()
        .get(path)
        .set('Accept', accept)
        .buffer(true);
      spent.add(path, entry.text);
      const blocks = httpBlocks(entry.text);
      expect(blocks).to.have.length(2);
      const [first, second] = blocks as [Block, Block];
      const own = { ...values };
      const shown = await send(test, BASE_URL, first, own);
      spent.add(shown.sent, shown.text);
      expect(shown.body.public_message).to.include({
        body: values.text,
        author: values.name,
      });
      const done = await send(test, BASE_URL, second, own);
      spent.add(done.sent, done.text);
      expect(done.status, done.text).to.equal(201);
      const read = await test
        .as()
        .get(`/api/messages/${done.body.message?.id}`);
      expect(read.body).to.include({ title: values.title, body: values.text });
      spent.expectAtMost({ requests: 3, bytes: 8000 });
    });
  }
});
