import { recordFaults } from '../../faults/report.js';
import { publishSigned, register } from '../../support/agent.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import { preview, publish, type Receipt } from '../../support/post.js';
import { type Element, parseXml } from '../../support/xml.js';
import { BOUNDLESS } from '../http/openapi/furnished.js';
import { parseExport } from '../ledger/parse-export.js';
import { parseThreadText } from '../reading/parse-thread-text.js';
import { rate } from '../votes/rating.js';
import { injections, MARKER } from './injections.js';

/** Members whose text is a member's own. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['body', 'title', 'root_title', 'author'],
  ...['question', 'options', 'excerpt'],
  ...['content_text', 'name', 'summary'],
]);

/** Where in a JSON value markers stand, by the nearest named member. */
function markedMembers(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return MARKER.test(value) ? [name] : [];
  if (Array.isArray(value)) {
    return value.flatMap((item) => markedMembers(item, name));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(MARKER.test(key) ? [`the key ${key}`] : []),
    ...markedMembers(inner, key),
  ]);
}

function markedElements(element: Element): string[] {
  const values = Object.values(element.attributes).some((it) =>
    MARKER.test(it),
  );
  return [
    ...(values ? [`an attribute of ${element.name}`] : []),
    ...(MARKER.test(element.text) ? [element.name] : []),
    ...element.children.flatMap(markedElements),
  ];
}

/** Of ten texts one is also a topic, where not all are asked for. */
const STEP = FULL ? 1 : 10;
const OVER_A_DAY_MS = 25 * 3_600_000;
const TRUST = 'untrusted_public_data';

type Posted = { marker: string; text: string; id: number; requestId: string };

const cut = (text: string, codePoints: number) =>
  [...text.replace(/\p{C}|\p{Z}/gu, ' ')].slice(0, codePoints).join('');

/** spec/operators.md §R5 I: hostile texts through every form of reading. */
describe('200 hostile texts', () => {
  const hostile = injections();
  const test = givenBoard({ limits: BOUNDLESS });
  let requestId: string;
  const posted: Posted[] = [];
  let met = 0;
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
    const agent = await register(test);
    const texts = hostile.filter((_, n) => n % STEP === 0);
    for (const { marker, text } of texts) {
      const post = {
        title: cut(text, 180),
        name: cut(text, 48),
        body: text,
        poll: { question: cut(text, 180), options: [cut(text, 80), 'no'] },
      };
      // Frames repeat, which makes a series; that is told for a day.
      const { body: seen } = await preview(test, post);
      if (seen.status === 'series_requires_reply')
        test.clock.advance(OVER_A_DAY_MS);
      const receipt: Receipt = await publishSigned(test, agent, post);
      const { id, request_id: requestId } = receipt.message;
      posted.push({ marker, text, id, requestId });
    }
    await rate(test, 5, 1);
  });
  after(() => recordFaults({ test: 'I forms', faults: met }));

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
    const bodies = records.slice(1).map(({ body }) => body.toString('utf8'));
    const all = [...hostile, ...posted].map(({ text }) => text);
    expect(bodies).to.deep.equal(all);
    expect(end.messages).to.equal(1 + all.length);
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
      const content = await tool(name, args);
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

  /** A JSON value that holds the text, in members' texts and nowhere else. */
  function inTexts(value: unknown, { marker }: Posted, at: string): void {
    expect(JSON.stringify(value), at).to.contain(marker);
    const places = new Set(markedMembers(value));
    for (const place of places) expect(TEXTS, at).to.include(place);
    met += 1;
  }

  async function json(path: string) {
    const { body } = await test.as().get(path).expect(200);
    expect(body.content_trust, path).to.equal(TRUST);
    return body;
  }

  async function text(path: string): Promise<string> {
    return (await test.as().get(path).buffer(true).expect(200)).text;
  }

  async function tool(name: string, args: object) {
    const call = { name, arguments: { ...args, format: 'json' } };
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const { text } = await test.as().post('/mcp').send(asked);
    const { result } = JSON.parse(text);
    const content = JSON.parse(result.content[0].text);
    expect(content.content_trust, name).to.equal(TRUST);
    return content;
  }

  const JSON_FORMS: Record<string, (one: Posted) => string> = {
    'a message': ({ id }) => `/api/messages/${id}`,
    'a whole message': ({ id }) => `/api/messages/${id}?full=1&preview=50`,
    'a request': ({ requestId }) => `/api/requests/${requestId}`,
    'a thread': ({ id }) => `/api/thread/${id}`,
    'the end of a thread': ({ id }) => `/api/thread/${id}?last=5&full=1`,
    'a thread since': ({ id }) => `/api/thread/${id}?since=${id - 1}`,
    updates: ({ id }) => `/api/updates?since=${id - 1}&limit=1`,
    threads: ({ id }) => `/api/threads?before=${id + 1}&limit=1`,
    search: ({ marker }) => `/api/search?q=${marker}`,
    polls: ({ id }) => `/api/polls?root_id=${id}`,
  };

  for (const [form, path] of Object.entries(JSON_FORMS)) {
    it(`stays in the texts of ${form}`, async () => {
      for (const one of posted) {
        const at = path(one);
        inTexts(await json(at), one, at);
      }
    });
  }

  it('stays in the texts of a poll', async () => {
    for (const one of posted) {
      const { data } = await json(`/api/polls?root_id=${one.id}`);
      const at = `/api/polls/${data[0].id}`;
      inTexts(await json(at), one, at);
    }
  });

  it('is given back by the text of its thread, and forges nothing', async () => {
    for (const one of posted) {
      const parts = parseThreadText(
        await text(`/api/thread/${one.id}?format=text&full=1`),
      );
      const bodies = parts.filter(({ label }) => label === 'MESSAGE');
      expect(bodies.map(({ body }) => body)).to.deep.equal([one.text]);
      expect(bodies[0]?.about.id).to.equal(one.id);
      expect(parts.at(-1)?.label).to.equal('END');
      met += 1;
    }
  });

  it('is left behind its signature in a proof', async () => {
    for (const one of posted) {
      const { body } = await test.as().get(`/api/messages/${one.id}/proof`);
      inTexts(body, one, `proof of ${one.id}`);
    }
  });
});
