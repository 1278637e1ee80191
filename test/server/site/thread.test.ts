import { gzipSync } from 'node:zlib';
import {
  type Branch,
  sizeOf,
  threadTree,
} from '../../../server/site/thread-tree.js';
import { publishSigned, register } from '../../support/agent.js';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { filled, publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { replies, reply, topic } from '../reading/fixture.js';
import { linksOf, mainOf, page, shownIds, wordsOf } from './page.js';

describe('GET /t/{root}', () => {
  const test = givenBoard({ lifted: true });

  it('shows the whole thread with names, times, parents and scores', async () => {
    const title = 'Sorting <backwards> & forwards';
    const root = await topic(test, { title, name: 'ann', body: 'First.' });
    const first = await reply(test, root, 'Second.');
    const second = (
      await publish(test, { reply_to: first, body: 'Third.', vote: 1 })
    ).message.id;
    const html = await mainOf(test, `/t/${root}`);
    expect(shownIds(html)).to.deep.equal([root, first, second]);
    expect(html).to.contain('Sorting &lt;backwards&gt; &amp; forwards');
    const words = wordsOf(html);
    for (const text of [
      'First.',
      'Third.',
      '2 replies',
      'Score +1',
      'just now',
    ]) {
      expect(words).to.contain(text);
    }
    expect(html).to.contain(
      '<time datetime="2026-01-15T12:00:00Z" title="15 Jan 2026, 12:00 UTC">',
    );
    expect(linksOf(html)).to.include.members([
      '#replies',
      `#r${first}`,
      `/t/${root}?message=${second}#m${second}`,
      '/?room=lobby',
    ]);
  });

  it('keeps words apart for programs that drop tags', async () => {
    const root = await topic(test, { title: 'Dropped tags', name: 'ann' });
    await reply(test, root, 'Second.');
    const stripped = (await mainOf(test, `/t/${root}`)).replace(/<[^>]*>/g, '');
    expect(stripped).to.match(
      new RegExp(
        `ann\\s+guest\\s+just now\\s+#${root}\\s+1 reply\\s+report\\s+JSON`,
      ),
    );
  });

  it('leads from a reply to its thread, whatever form is asked for', async () => {
    const root = await topic(test);
    const id = await reply(test, root);
    const url = `${BASE_URL}/t/${root}?message=${id}#m${id}`;
    for (const path of [`/t/${id}`, `/t/${id}?format=text`]) {
      const answer = await test.as().get(path).expect(302);
      expect(answer.headers.location).to.equal(url);
    }
    const elsewhere = await topic(test);
    const answer = await test.as().get(`/t/${elsewhere}?message=${id}`);
    expect(answer.status).to.equal(302);
    expect(answer.headers.location).to.equal(url);
  });

  it('marks the message that a permalink names', async () => {
    const root = await topic(test);
    const [first, second] = await replies(test, root, 2);
    const html = await mainOf(test, `/t/${root}?message=${second}`);
    expect(html).to.contain(`class="message wanted" id="m${second}"`);
    expect(html).to.contain(`class="message" id="m${first}"`);
  });

  it('pages long threads, and finds any message by its permalink', async () => {
    const root = await topic(test);
    const ids = [root, ...(await replies(test, root, 104))];
    const pageOf = async (query: string) =>
      await mainOf(test, `/t/${root}${query}`);
    const first = await pageOf('');
    expect(shownIds(first)).to.deep.equal(ids.slice(0, 100));
    expect(linksOf(first)).to.include(`/t/${root}?page=2`);
    const second = await pageOf('?page=2');
    expect(shownIds(second)).to.deep.equal(ids.slice(100));
    expect(linksOf(second)).to.include(`/t/${root}`);
    for (const at of [0, 99, 100, 104]) {
      const html = await pageOf(`?message=${ids[at]}`);
      expect(html, `message ${at}`).to.contain(`id="m${ids[at]}"`);
    }
    await page(test, `/t/${root}?page=3`, 404);
    await page(test, `/t/${root}?page=0`, 400);
  });

  it('selects by last, since and before', async () => {
    const root = await topic(test);
    const ids = [root, ...(await replies(test, root, 6))];
    const shown = async (query: string) =>
      shownIds(await mainOf(test, `/t/${root}${query}`));
    expect(await shown('?last=3')).to.deep.equal(ids.slice(-3));
    expect(await shown('?last=0')).to.deep.equal(ids);
    expect(await shown(`?since=${ids[3]}`)).to.deep.equal(ids.slice(4));
    expect(await shown(`?since=${ids[6]}`)).to.deep.equal([]);
    expect(await shown(`?before=${ids[3]}`)).to.deep.equal(ids.slice(0, 3));
    expect(await shown(`?last=2&since=${ids[5]}`)).to.deep.equal(ids.slice(6));
    const last = await mainOf(test, `/t/${root}?last=3`);
    expect(linksOf(last)).to.include(`/t/${root}?before=${ids[4]}`);
    expect(wordsOf(last)).to.contain('This is a part of the thread.');
    for (const query of [
      '?last=101',
      '?since=x',
      '?before=1&last=2',
      '?last=1&last=2',
    ]) {
      await page(test, `/t/${root}${query}`, 400);
    }
  });

  it('shows a signature as a badge that leads to its proof', async () => {
    const agent = await register(test);
    const signed = await publishSigned(test, agent, { title: 'Signed here' });
    const { id } = signed.message;
    const html = await mainOf(test, `/t/${id}`);
    expect(html).to.match(
      new RegExp(`<a class="badge signed" href="/api/messages/${id}/proof"`),
    );
    await test.as().get(`/api/messages/${id}/proof`).expect(200);
    const guest = await mainOf(test, `/t/${await topic(test)}`);
    expect(guest).to.contain('<span class="badge guest">guest</span>');
    expect(guest).not.to.contain('/proof');
  });

  it('shows the bars of a poll, and its end', async () => {
    const poll = { question: 'Which <one>?', options: ['a', 'b & c'] };
    const { message, poll: opened } = await publish(test, {
      title: 'A poll',
      poll,
    });
    const { id } = opened as { id: number };
    const path = `/api/polls/${id}/votes`;
    for (const [network, option] of [
      ['198.51.100.1', 'a'],
      ['198.51.100.2', 'b & c'],
      ['198.51.100.3', 'b & c'],
    ]) {
      const ballot = { option, request_id: randomUUID() };
      const previewed = await test.post(`${path}/preview`, ballot, network);
      await test.as(network).post(path).send(filled(previewed)).expect(201);
    }
    const open = await mainOf(test, `/t/${message.id}`);
    const words = wordsOf(open);
    expect(words).to.contain('Which <one>?');
    expect(words).to.contain('b & c 2 (67 %)');
    expect(words).to.contain('3 ballots · open until 14 Feb 2026, 12:00 UTC');
    expect(words).to.contain(`agents vote by /api/polls/${id}/votes/preview`);
    expect(open).to.match(/<article.*<section class="poll".*<\/article>/s);
    expect(open).to.contain('<rect class="fill" width="67%"');
    expect(open).not.to.contain('style=');
    test.clock.advance(31 * 86_400_000);
    const closed = wordsOf(await mainOf(test, `/t/${message.id}`));
    expect(closed).to.contain('closed · Selected');
    expect(closed).to.contain('b & c selected 2');
    expect(closed).not.to.contain('agents vote by');
  });

  it('puts replies under what they answer, three levels deep', async () => {
    const root = await topic(test);
    const chain = [root];
    for (let n = 0; n < 5; n += 1) {
      chain.push(await reply(test, chain.at(-1) ?? 0, `**Link** ${n} of all`));
    }
    const [, first, second, third, fourth, fifth] = chain;
    const aside = await reply(test, root);
    const html = await mainOf(test, `/t/${root}`);
    expect(shownIds(html)).to.deep.equal([...chain, aside]);
    const folds = [
      ...html.matchAll(/<details class="replies" id="r(\d+)" open>/g),
    ];
    expect(folds.map(([, id]) => Number(id))).to.deep.equal([first, second]);
    const words = wordsOf(html);
    expect(words).to.contain(`4 replies under message ${first}`);
    // Only what is not right under its parent says what it answers.
    expect(words).not.to.contain(`in reply to #${second}`);
    for (const parent of [third, fourth]) {
      expect(words).to.contain(`in reply to #${parent}`);
    }
    expect(linksOf(html)).to.include.members([`#m${fifth}`, `#m${fourth}`]);
    expect(html).to.match(
      new RegExp(`id="q${fifth}" dir="auto">Link 3 of all</span>`),
    );
  });

  it('quotes what a reply answers on an earlier page', async () => {
    const root = await topic(test);
    const early = await reply(test, root, '> Early *words*');
    await replies(test, root, 99);
    const late = await reply(test, early);
    const html = await mainOf(test, `/t/${root}?page=2`);
    expect(shownIds(html)).to.include(late);
    expect(wordsOf(html)).to.contain(`in reply to #${early}`);
    expect(html).to.contain('Early words</span>');
  });

  it('marks what is newer than what a reader has seen', async () => {
    const root = await topic(test);
    const ids = [root, ...(await replies(test, root, 3))];
    const fresh = async (query: string) =>
      [
        ...(await mainOf(test, `/t/${root}${query}`)).matchAll(
          /class="message fresh" id="m(\d+)"/g,
        ),
      ].map(([, id]) => Number(id));
    expect(await fresh('')).to.deep.equal([]);
    expect(await fresh(`?seen=${ids[1]}`)).to.deep.equal(ids.slice(2));
    const html = await mainOf(test, `/t/${root}?seen=${ids[1]}`);
    expect(linksOf(html)).to.include.members([
      `#m${ids[2]}`,
      `/t/${root}?since=${ids[1]}`,
      `/t/${root}?seen=${ids[3]}`,
    ]);
    const all = wordsOf(await mainOf(test, `/t/${root}?seen=${ids[3]}`));
    expect(all).to.contain(`Nothing new since #${ids[3]}.`);
    await replies(test, root, 100);
    const later = await mainOf(test, `/t/${root}?seen=${(ids[3] ?? 0) + 98}`);
    expect(later).to.contain('aria-label="Page 2" aria-current="page">2</a>');
    await page(test, `/t/${root}?seen=x`, 400);
  });

  it('keeps its tag for the minute that its times are told from', async () => {
    const root = await topic(test);
    const tagOf = async () => (await page(test, `/t/${root}`)).headers.etag;
    const first = await tagOf();
    test.clock.advance(59_000);
    expect(await tagOf()).to.equal(first);
    test.clock.advance(1000);
    const later = await page(test, `/t/${root}`);
    expect(later.headers.etag).not.to.equal(first);
    expect(wordsOf(later.text)).to.contain('1 min ago');
  });

  it('weighs at most 60 kB for 50 messages, packed', async () => {
    const body = Array.from(
      { length: 150 },
      (_, n) => `word${(n * 7919) % 1000}`,
    ).join(' ');
    const root = await topic(test, { body });
    for (let n = 1; n < 50; n += 1) await reply(test, root, `${n} ${body}`);
    const { text } = await page(test, `/t/${root}`);
    expect(shownIds(text)).to.have.length(50);
    expect(gzipSync(text).length).to.be.below(60_000);
    const twenty = await page(test, `/t/${root}?last=20`);
    expect(shownIds(twenty.text)).to.have.length(20);
    expect(gzipSync(twenty.text).length).to.be.below(30_000);
  });

  it('is unknown for what no message has', async () => {
    for (const path of [
      '/t/999999',
      '/t/0',
      '/t/01',
      '/t/1e3',
      '/t/-1',
      '/t/x',
      '/t/99999999999999999999',
    ]) {
      const { text } = await page(test, path, 404);
      expect(text).to.contain('<h1>Page not found</h1>');
    }
    const root = await topic(test);
    await page(test, `/t/${root}?message=999999`, 404);
    await page(test, `/t/${root}/`, 404);
  });
});

type Message = { id: number; reply_to: number | null };

const answering = (...parents: number[]): Message[] => [
  { id: 1, reply_to: null },
  ...parents.map((reply_to, n) => ({ id: n + 2, reply_to })),
];

/** The tree as text: `*` before what says what it answers. */
function drawn(branches: readonly Branch<Message>[]): string {
  return branches
    .map(({ message, replies: inner, apart }) => {
      const under = inner.length === 0 ? '' : `(${drawn(inner)})`;
      return `${apart ? '*' : ''}${message.id}${under}`;
    })
    .join(' ');
}

describe('The tree of a thread', () => {
  for (const [what, messages, tree] of [
    ['nothing but the opening message', answering(), ''],
    ['replies to the opening message', answering(1, 1, 1), '2 3 4'],
    [
      'replies to replies, after one another',
      answering(1, 1, 2, 3),
      '2(4) 3(5)',
    ],
    ['three levels', answering(1, 2, 3), '2(3(4))'],
    [
      'deeper ones on the last level, which say what they answer',
      answering(1, 2, 3, 4, 5, 4),
      '2(3(4 *5 *6 *7))',
    ],
    [
      'replies to what is on another page',
      [
        { id: 30, reply_to: 7 },
        { id: 31, reply_to: 30 },
        { id: 32, reply_to: 1 },
      ],
      '*30(31) 32',
    ],
  ] as const) {
    it(`shows ${what}`, () => {
      expect(drawn(threadTree(1, messages))).to.equal(tree);
    });
  }

  it('shows each message once, however they answer one another', () => {
    const parents = Array.from(
      { length: 99 },
      (_, n) => 1 + ((n * 37) % (n + 1)),
    );
    expect(sizeOf(threadTree(1, answering(...parents)))).to.be.at.most(99);
    const flat =
      drawn(threadTree(1, answering(...parents))).match(/\d+/g) ?? [];
    expect(new Set(flat).size).to.equal(99);
    expect(flat).to.have.length(99);
  });

  it('counts the replies of this page to each', () => {
    const [first] = threadTree(1, answering(1, 2, 2, 3));
    expect(first?.answered).to.equal(2);
    expect(sizeOf(first?.replies ?? [])).to.equal(3);
  });
});
