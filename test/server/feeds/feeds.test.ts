import { publishSigned, register } from '../../support/agent.js';
import { decideTo, RULING } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { type Element, parseXml } from '../../support/xml.js';
import { BOUNDLESS } from '../http/openapi/furnished.js';
import { rate } from '../votes/rating.js';
import { atomFaults, jsonFeedFaults } from './rules.js';

const HOUR_MS = 3_600_000;
const NASTY = [
  '</content><entry>]]><![CDATA[ & &amp; "quoted" \'so\' <script>alert(1)</script>',
  'controls \u0001\u0008\u000b\u001f\u007f\u0085 and \ufffe\uffff',
  'line\r\nends\rand\ttabs\u2028',
  'astral \u{1f600} combining e\u0301 \u202eturned',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>&a;',
].join('\n');
const HELD = NASTY.replace(
  /(?![\t\n\r\u007f-\u009f])[\p{Cc}\ufffe\uffff]/gu,
  '\ufffd',
);

type Item = {
  id: string;
  title: string;
  content_text: string;
  date_published: string;
  date_modified: string;
  authors: { name: string }[];
  _board: { message_id: number; removed: boolean; [name: string]: unknown };
};
type JsonFeed = { [member: string]: unknown; title: string; items: Item[] };

describe('feeds', () => {
  const test = givenBoard({
    limits: BOUNDLESS,
    env: { BOARD_TITLE: 'Board <&> "Test"' },
  });
  let topic: number;
  let hidden: number;

  const atom = async (path: string): Promise<Element> => {
    const { text, headers } = await test.as().get(path).buffer(true);
    expect(headers['content-type']).to.equal(
      'application/atom+xml; charset=utf-8',
    );
    const feed = parseXml(text);
    expect(atomFaults(feed), path).to.deep.equal([]);
    return feed;
  };
  const json = async (path: string): Promise<JsonFeed> => {
    const { text, headers, status } = await test.as().get(path).buffer(true);
    expect(status, `${path} ${text}`).to.equal(200);
    expect(headers['content-type']).to.equal(
      'application/feed+json; charset=utf-8',
    );
    const feed = JSON.parse(text);
    expect(jsonFeedFaults(feed), path).to.deep.equal([]);
    return feed;
  };
  const entriesOf = (feed: Element) =>
    feed.children.filter(({ name }) => name === 'entry');
  const textOf = (it: Element | undefined, name: string) =>
    it?.children.find((child) => child.name === name)?.text;
  const named = (feed: JsonFeed) =>
    feed.items.map((it) => it._board.message_id);

  it('are shown in a style by browsers, and are Atom to readers', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9';
    const shown = await test.as().get('/feed.atom').set('Accept', browser);
    expect(shown.headers['content-type']).to.equal(
      'application/xml; charset=utf-8',
    );
    expect(shown.headers['content-security-policy']).to.equal(
      "default-src 'none'; style-src 'self'; frame-ancestors 'none'; sandbox",
    );
    expect(shown.headers.vary).to.match(/\bAccept\b/);
    const [, style = ''] =
      /<\?xml-stylesheet type="text\/css" href="([^"]*)"\?>/.exec(shown.text) ??
      [];
    const css = await test.as().get(style).expect(200);
    expect(css.headers['content-type']).to.equal('text/css; charset=utf-8');
    for (const accept of ['*/*', 'application/atom+xml, text/html;q=0.5']) {
      const { headers } = await test.get('/feed.atom').set('Accept', accept);
      expect(headers['content-type']).to.contain('application/atom+xml');
    }
  });

  it('are sound while the board is empty', async () => {
    for (const path of ['/feed', '/rooms/lobby/feed', '/moderation']) {
      expect(entriesOf(await atom(`${path}.atom`))).to.deep.equal([]);
      expect((await json(`${path}.json`)).items).to.deep.equal([]);
    }
  });

  it('hold any text as text', async () => {
    const sent = { title: 'A <b>title</b> & more', body: NASTY, name: '<&>' };
    topic = (await publish(test, { ...sent, room: 'findings' })).message.id;
    const feed = await atom('/feed.atom');
    expect(textOf(feed, 'title')).to.equal('Board <&> "Test"');
    const [entry] = entriesOf(feed);
    expect(textOf(entry, 'content')).to.equal(HELD);
    expect(textOf(entry, 'title')).to.equal(sent.title);
    const author = entry?.children.find(({ name }) => name === 'author');
    expect(textOf(author, 'name')).to.equal(sent.name);
    const [item] = (await json('/feed.json')).items;
    expect(item?.content_text).to.equal(NASTY);
    expect(item?.title).to.equal(sent.title);
    expect(item?.authors).to.deep.equal([{ name: sent.name }]);
  });

  it('mark every text as untrusted', async () => {
    const [entry] = entriesOf(await atom('/feed.atom'));
    const terms = entry?.children
      .filter(({ name }) => name === 'category')
      .map(({ attributes }) => attributes.term);
    expect(terms).to.deep.equal(['findings', 'untrusted_public_data']);
    const feed = await json('/feed.json');
    expect(feed._board).to.include({ content_trust: 'untrusted_public_data' });
    expect(feed.items[0]?._board).to.include({
      content_trust: 'untrusted_public_data',
    });
  });

  it('follow board, room and thread, the newest first', async () => {
    test.clock.advance(HOUR_MS);
    await publish(test, { reply_to: topic, body: 'A reply.' });
    const other = await publish(test, { room: 'lobby', title: 'Other' });
    expect(named(await json('/feed.json'))).to.deep.equal([3, 2, 1]);
    expect(named(await json('/rooms/findings/feed.json'))).to.deep.equal([
      2, 1,
    ]);
    expect(named(await json(`/t/${topic}/feed.json`))).to.deep.equal([2, 1]);
    const reply = (await atom(`/t/${topic}/feed.atom`)).children.find(
      ({ name }) => name === 'entry',
    );
    const answers = reply?.children.find(
      ({ name }) => name === 'thr:in-reply-to',
    );
    expect(answers?.attributes.ref).to.equal('tag:board.test,2026:message:1');
    expect(textOf(reply, 'title')).to.match(
      /^Reply #\d+: A <b>title<\/b> & more$/,
    );
    expect(other.message.id).to.equal(3);
  });

  it('give one thread one feed, whichever message names it', async () => {
    const byReply = await test.as().get('/t/2/feed.json').buffer(true);
    const byRoot = await test.as().get('/t/1/feed.json').buffer(true);
    expect(byReply.text).to.equal(byRoot.text);
  });

  it('keep their tag until something changes', async () => {
    for (const path of ['/feed.atom', '/feed.json', '/t/1/feed.atom']) {
      const first = await test.as().get(path);
      const tag = first.headers.etag ?? '';
      expect(first.headers['cache-control']).to.equal(
        'public, max-age=0, must-revalidate',
      );
      test.clock.advance(HOUR_MS);
      await test.as().get(path).set('If-None-Match', tag).expect(304);
    }
    const { headers } = await test.as().get('/feed.atom');
    await publish(test, { reply_to: topic, body: 'Buy this.' });
    const next = await test
      .get('/feed.atom')
      .set('If-None-Match', headers.etag ?? '');
    expect(next.status).to.equal(200);
  });

  it('replace a removed text under its id, with a later date', async () => {
    const before = (await json('/feed.json')).items[0];
    test.clock.advance(HOUR_MS);
    await decideTo.remove(test, 4);
    const feed = await json('/feed.json');
    const after = feed.items[0];
    expect(after?.id).to.equal(before?.id);
    expect(after?._board.removed).to.equal(true);
    expect(after?.content_text).to.include('/api/moderation/4');
    expect(JSON.stringify(feed)).not.to.include('Buy this');
    expect(after?.date_published).to.equal(before?.date_published);
    expect(Date.parse(after?.date_modified ?? '')).to.equal(
      Date.parse(before?.date_modified ?? '') + HOUR_MS,
    );
    const [entry] = entriesOf(await atom('/feed.atom'));
    expect(textOf(entry, 'id')).to.equal(after?.id);
    expect(textOf(entry, 'updated')).to.equal(after?.date_modified);
  });

  it('tell every decision', async () => {
    const feed = await json('/moderation.json');
    expect(feed.items).to.have.length(1);
    expect(feed.items[0]).to.include({
      id: 'tag:board.test,2026:decision:1',
      title: 'remove: message 4 (spam)',
      content_text: RULING.explanation,
    });
    expect(entriesOf(await atom('/moderation.atom'))).to.have.length(1);
  });

  it('leave hidden topics to those who ask for them', async () => {
    const { message } = await publish(test, { title: 'Disliked' });
    hidden = message.id;
    await publish(test, { reply_to: hidden });
    for (const n of [1, 2, 3]) await rate(test, hidden, -1, `198.51.100.${n}`);
    expect(named(await json('/feed.json'))).not.to.include(hidden);
    expect(named(await json('/rooms/lobby/feed.json'))).not.to.include(hidden);
    expect(named(await json(`/t/${hidden}/feed.json`))).to.deep.equal([
      hidden + 1,
      hidden,
    ]);
  });

  it('end after fifty entries', async () => {
    for (let n = 0; n < 50; n += 1) await publish(test, { reply_to: topic });
    expect((await json('/feed.json')).items).to.have.length(50);
    expect(entriesOf(await atom(`/t/${topic}/feed.atom`))).to.have.length(50);
  });

  it('follow nothing that is not there', async () => {
    for (const path of [
      ...['/rooms/nowhere/feed.atom', '/rooms/Lobby/feed.json'],
      ...['/t/999/feed.atom', '/t/x/feed.json', '/t/01/feed.json'],
      ...['/t/1e0/feed.json', '/feed.rss', '/t/1/feed', '/feed.atom/'],
    ]) {
      expect((await test.as().get(path)).status, path).to.equal(404);
    }
    await test.as().post('/feed.atom').send({}).expect(405);
  });

  it('follow a key: what it signed, and what answers that', async () => {
    const agent = await register(test);
    const signed = await publishSigned(test, agent, { title: 'Of a key' });
    const { id } = signed.message;
    const answer = await publish(test, { reply_to: id, body: 'An answer.' });
    const gone = await publish(test, { reply_to: id, body: 'Another.' });
    await decideTo.remove(test, gone.message.id);
    for (const [kind, expected] of [
      ['feed', [id]],
      ['inbox', [gone.message.id, answer.message.id]],
    ] as const) {
      const path = `/agents/${agent.id}/${kind}`;
      expect(named(await json(`${path}.json`))).to.deep.equal(expected);
      const entries = entriesOf(await atom(`${path}.atom`));
      expect(entries).to.have.length(expected.length);
      const none = path.replace(agent.id, `a1${'a'.repeat(32)}`);
      const { body } = await test.as().get(`${none}.json`).expect(404);
      expect(body.error).to.equal('profile_not_found');
    }
  });
});
