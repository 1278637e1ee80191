import { expect } from 'chai';
import { recordFaults } from '../../faults/report.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { parseXml } from '../../support/xml.js';
import { BOUNDLESS } from '../http/openapi/furnished.js';
import { parseExport } from '../ledger/parse-export.js';
import { rate } from '../votes/rating.js';
import { injections, MARKER } from './injections.js';
import { markedElements, markedMembers, TEXTS } from './marked.js';

const TRUST = 'untrusted_public_data';

/** spec/operators.md §R5 I: hostile texts through every form of reading. */
describe('200 hostile texts', () => {
  const hostile = injections();
  const test = givenBoard({ limits: BOUNDLESS });
  let requestId: string;
  before(async () => {
    const [first, second, third] = hostile;
    const short = (text = '') => [...text].slice(0, 40).join('');
    const opened = await publish(test, {
      title: second?.text ?? '',
      body: first?.text ?? '',
      name: short(third?.text),
      poll: {
        question: first?.text ?? '',
        options: [short(second?.text), 'no'],
      },
    });
    requestId = opened.message.request_id;
    for (const { text } of hostile) {
      await publish(test, { reply_to: 1, body: text });
    }
    await rate(test, 5, 1);
  });

  const onlyTexts = (value: unknown, at: string) => {
    const places = new Set(markedMembers(value));
    expect(places.size, at).to.be.greaterThan(0);
    for (const place of places)
      expect(TEXTS, `${at}: ${place}`).to.include(place);
  };

  it('are 200', () => {
    expect(new Set(hostile.map(({ marker }) => marker)).size).to.equal(200);
  });

  it('stay in the texts of every JSON read, marked as untrusted', async () => {
    for (const path of [
      ...['/api/threads', '/api/threads?sort=active', '/api/thread/1?last=100'],
      ...['/api/thread/1?since=1&limit=100', '/api/thread/1?before=150'],
      ...['/api/updates?limit=100', '/api/updates?since=100&limit=100'],
      ...['/api/messages/1', '/api/messages/7?full=1&preview=50'],
      ...[`/api/requests/${requestId}`, '/api/search?q=MARK-', '/api/top'],
      ...['/api/polls', '/api/polls/1', '/api/polls/updates'],
    ]) {
      const { body, text } = await test.as().get(path).expect(200);
      if (path !== '/api/polls/updates') onlyTexts(body, path);
      expect(body.content_trust, path).to.equal(TRUST);
      expect(text.match(/"content_trust":"trusted"/), path).to.equal(null);
    }
    const { body } = await test.as().get('/api/brief').expect(200);
    onlyTexts(body, '/api/brief');
    for (const list of Object.values(body.discovery)) {
      expect(list).to.include({ content_trust: TRUST });
    }
  });

  it('leave text exports readable as the same messages', async () => {
    const { text } = await test.as().get('/all.txt').buffer(true);
    const { records, end } = parseExport(Buffer.from(text, 'utf8'));
    expect(end.messages).to.equal(201);
    const bodies = records.slice(1).map(({ body }) => body.toString('utf8'));
    expect(bodies).to.deep.equal(hostile.map((it) => it.text));
  });

  it('stay in the texts of feeds', async () => {
    for (const path of ['/feed', '/rooms/lobby/feed', '/t/1/feed']) {
      const atom = await test.as().get(`${path}.atom`).buffer(true);
      const places = new Set(markedElements(parseXml(atom.text)));
      expect([...places].sort()).to.satisfy((all: string[]) =>
        all.every((it) => ['content', 'name', 'title'].includes(it)),
      );
      const json = await test.as().get(`${path}.json`).buffer(true);
      onlyTexts(JSON.parse(json.text), path);
    }
  });

  it('forge no server-sent event', async () => {
    const gone = new AbortController();
    const stream = await fetch(`${test.url}/api/updates?limit=100`, {
      headers: { Accept: 'text/event-stream', 'X-Forwarded-For': '10.9.8.7' },
      signal: gone.signal,
    });
    let text = '';
    let seen = 0;
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString('utf8');
      seen = text.split('\n\n').length;
      if (seen > 4) break;
    }
    gone.abort();
    const events = text.split('\n\n').slice(1, -1);
    expect(events.length).to.be.greaterThan(2);
    for (const event of events) {
      const [, id, data = ''] =
        /^id: (\d+)\ndata: ([^\r\n]*)$/.exec(event) ?? [];
      const page = JSON.parse(data);
      expect(page.cursor, event.slice(0, 40)).to.equal(Number(id));
      expect(page.content_trust).to.equal(TRUST);
    }
  });

  it('stay in the texts of tool results', async () => {
    for (const [name, args] of [
      ['board_brief', {}],
      ['list_threads', {}],
      ['read_thread', { id: 1, last: 100 }],
      ['read_message', { id: 20 }],
      ['search', { q: 'MARK-' }],
      ['wait_updates', { since: 100, limit: 100 }],
      ['list_polls', {}],
      ['top', {}],
    ] as const) {
      const { text } = await test
        .as()
        .post('/mcp')
        .send({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args },
        });
      const { result } = JSON.parse(text);
      const content = JSON.parse(result.content[0].text);
      expect(content.content_trust).to.equal(TRUST);
      onlyTexts(content, name);
    }
  });

  it('never reach what the board says of itself', async () => {
    await recordFaults({ test: 'I', faults: hostile.length });
    for (const path of [
      ...['/llms.txt', '/skill.md', '/rules.md', '/protocol.md', '/invite.txt'],
      ...['/governance-reference.md', '/identity.md', '/openapi.json'],
      ...['/api/protocol', '/api/rooms', '/api/stats', '/reference'],
      ...['/.well-known/agent-skills/index.json', '/.well-known/api-catalog'],
    ]) {
      const { text } = await test.as().get(path).buffer(true).expect(200);
      expect(MARKER.test(text), path).to.equal(false);
    }
  });
});
