import { Peer } from '../../../server/db/entities/peer.js';
import {
  addPeer,
  type Node,
  startNode,
} from '../../mesh/boards/support/linked.js';
import { pull } from '../../mesh/boards/support/pull.js';
import { type Agent, publishSigned, register } from '../../support/agent.js';
import { checkLedger } from '../../support/check-ledger.js';
import { decideTo } from '../../support/decide.js';
import { type Post, publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { linksOf, mainOf, page, shownIds, wordsOf } from './page.js';

const A = 'board-a.example';

describe('GET /mesh', () => {
  let a: Node;
  let b: Node;
  let agent: Agent;
  const ids: number[] = [];

  before(async () => {
    a = await startNode(A);
    b = await startNode('board-b.example');
    agent = await register(a);
    const post = async (body: Post) =>
      (await publishSigned(a, agent, body)).message.id;
    ids.push(await post({ title: 'From <afar>', body: 'Text *one* #2 #3.' }));
    ids.push(await post({ body: 'Text two, see #1.', reply_to: 1 }));
    ids.push((await publish(a, { body: 'A guest.', reply_to: 1 })).message.id);
    ids.push(await post({ body: 'Unwanted.', reply_to: 1 }));
    await decideTo.remove(a, ids[3] ?? 0);
  });
  after(async () => {
    await checkLedger(a);
    await a.stop();
    await b.stop();
  });

  it('shows this board alone as long as it mirrors none', async () => {
    const html = await mainOf(b, '/mesh');
    const words = wordsOf(html);
    expect(words).to.contain('board-b.example/log');
    expect(words).to.contain(b.logVkey);
    expect(words).to.contain('This board mirrors no other board yet.');
    expect(linksOf(html)).to.include('/log/checkpoint');
    await page(b, `/mesh/${A}`, 404);
    await page(b, `/mesh/${A}/t/1`, 404);
  });

  it('lists the boards it mirrors, and how they stand', async () => {
    await addPeer(b, a);
    await pull(b, a);
    const html = await mainOf(b, '/mesh');
    expect(linksOf(html)).to.include(`/mesh/${A}`);
    expect(wordsOf(html)).to.contain(`${A}/log`);
    expect(wordsOf(html)).to.contain('no known entry is missing');
    expect(wordsOf(html)).to.contain('Level none stated');
    const kept = 'its signed messages are kept and shown';
    expect(wordsOf(html)).to.contain(kept).and.not.contain(`${kept}, texts`);
    const ended = { lastErrorCode: 'http_410', lastErrorAt: b.clock.now() };
    const change = { content: 'all', level: 3, ...ended } as const;
    await rows(b).update(Peer, { name: A }, change);
    const all = wordsOf(await mainOf(b, '/mesh'));
    expect(all).to.contain('Level 3, mirror');
    expect(all).to.contain(`${kept}, texts of guests too`);
    expect(all).to.contain('its log has ended').and.contain('Lag not known');
    const sound = { lastErrorCode: null, lastErrorAt: null };
    await rows(b).update(Peer, { name: A }, { content: 'signed', ...sound });
    expect(linksOf(html)).to.include.members([
      `/api/mesh/boards/${A}/threads`,
      `http://${A}`,
    ]);
  });

  it("shows a mirrored board's topics as another board's", async () => {
    const html = await mainOf(b, `/mesh/${A}`);
    const words = wordsOf(html);
    expect(words).to.contain('From another board.');
    expect(words).to.contain('From <afar>');
    expect(linksOf(html)).to.include.members([
      `/mesh/${A}/t/1`,
      `/api/mesh/boards/${A}/messages/1/proof`,
      `http://${A}`,
    ]);
  });

  it('shows a mirrored thread, each message with its board', async () => {
    const html = await mainOf(b, `/mesh/${A}/t/1`);
    const words = wordsOf(html);
    expect(shownIds(html)).to.deep.equal(ids);
    expect(
      html.match(new RegExp(`<span class="badge">${A}`, 'g')),
    ).to.have.length(4);
    expect(words).to.contain('From another board.');
    expect(words).to.contain('Unsigned message.');
    expect(words).not.to.contain('Unwanted.');
    expect(words).to.contain('Its own board removed it for spam');
    expect(html).to.contain('Text <em>one</em>');
    expect(linksOf(html)).to.include.members([
      `http://${A}/t/1`,
      `http://${A}/t/1?message=2#m2`,
      `/mesh/${A}/t/2`,
      `/api/mesh/boards/${A}/messages/2/proof`,
    ]);
    expect(words).not.to.contain('Score');
  });

  it('tells all this as text, without a way to write', async () => {
    for (const [path, first, holds] of [
      ['/mesh', 'MESH {', `"topics_url":"http://board-b.example/mesh/${A}"`],
      ['/mesh', 'MESH {', '"level":3'],
      [`/mesh/${A}`, 'TOPICS {', '```\nText *one* #2 #3.\n```'],
      [`/mesh/${A}/t/1`, 'THREAD {', '```\nText two, see #1.\n```'],
    ] as const) {
      const { text, headers } = await b
        .get(path)
        .set('Accept', 'text/markdown')
        .expect(200);
      expect(headers['content-type'], path).to.contain('text/markdown');
      expect(text.startsWith(first), path).to.equal(true);
      expect(text, path).to.contain(holds);
      expect(text, path).not.to.match(/\/preview|"actions"/);
    }
  });

  it('leads from a mirrored reply to its thread', async () => {
    const answer = await b.as().get(`/mesh/${A}/t/2`).expect(302);
    expect(answer.headers.location).to.equal(
      `http://board-b.example/mesh/${A}/t/1?message=2#m2`,
    );
    const html = await mainOf(b, `/mesh/${A}/t/1?message=2`);
    expect(shownIds(html)[0]).to.equal(2);
    expect(html).to.contain('wanted" id="m2"');
    await page(b, `/mesh/${A}/t/99`, 404);
    await page(b, `/mesh/${A}/t/x`, 404);
    await page(b, '/mesh/%00/t/1', 404);
    await page(b, '/mesh/board-b.example', 404);
  });

  it('keeps local pages free of what is mirrored', async () => {
    expect(wordsOf(await mainOf(b, '/'))).not.to.contain('From <afar>');
    await page(b, '/t/1', 404);
    const found = wordsOf(await mainOf(b, '/search?q=Text'));
    expect(found).to.contain('No messages contain');
  });
});
