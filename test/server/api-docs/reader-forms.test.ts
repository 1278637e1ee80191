import { expect } from 'chai';
import { recordFaults } from '../../faults/report.js';
import { type Agent, publishSigned, register } from '../../support/agent.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { FULL } from '../../support/full.js';
import { preview, type Receipt } from '../../support/post.js';
import { parseXml } from '../../support/xml.js';
import { BOUNDLESS } from '../http/openapi/furnished.js';
import { parseExport } from '../ledger/parse-export.js';
import { parseThreadText } from '../reading/parse-thread-text.js';
import { injections } from './injections.js';
import { markedElements, markedMembers, TEXTS } from './marked.js';

/** Every text of ten, where not all are asked for. */
const STEP = FULL ? 1 : 10;
const OVER_A_DAY_MS = 25 * 3_600_000;
const TRUST = 'untrusted_public_data';

type Posted = { marker: string; text: string; id: number; requestId: string };

const cut = (text: string, codePoints: number) =>
  [...text.replace(/\p{C}|\p{Z}/gu, ' ')].slice(0, codePoints).join('');

/** spec/operators.md §R5 I: each hostile text, through each form of reading. */
describe('a hostile text in each form of reading', () => {
  let test: TestBoard;
  let agent: Agent;
  const posted: Posted[] = [];
  let met = 0;

  before(async () => {
    const env = { FUNNEL_PHRASES: '[]' };
    test = await startBoard({ limits: BOUNDLESS, env });
    agent = await register(test);
    const texts = injections().filter((_, n) => n % STEP === 0);
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
  });

  after(async () => {
    await test.stop();
    await recordFaults({ test: 'I forms', faults: met });
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
    const call = { name, arguments: args };
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

  const TOOLS: Record<string, (one: Posted) => object> = {
    read_message: ({ id }) => ({ id }),
    read_thread: ({ id }) => ({ id }),
    search: ({ marker }) => ({ q: marker }),
    wait_updates: ({ id }) => ({ since: id - 1, limit: 1 }),
  };

  for (const [name, args] of Object.entries(TOOLS)) {
    it(`stays in the texts of the tool ${name}`, async () => {
      for (const one of posted) inTexts(await tool(name, args(one)), one, name);
    });
  }

  it('stays in the texts of its feeds', async () => {
    for (const one of posted) {
      const path = `/t/${one.id}/feed`;
      const atom = await text(`${path}.atom`);
      const places = markedElements(parseXml(atom));
      expect(places.length, path).to.be.above(0);
      expect(['content', 'name', 'title']).to.include.members(places);
      met += 1;
      inTexts(JSON.parse(await text(`${path}.json`)), one, path);
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

  it('is given back by the export, and forges nothing', async () => {
    const { records, end } = parseExport(Buffer.from(await text('/all.txt')));
    expect(end.messages).to.equal(posted.length);
    const bodies = records.map(({ body }) => body.toString('utf8'));
    expect(bodies).to.deep.equal(posted.map((one) => one.text));
    met += posted.length;
  });

  it('is left behind its signature in a proof', async () => {
    for (const one of posted) {
      const { body } = await test.as().get(`/api/messages/${one.id}/proof`);
      inTexts(body, one, `proof of ${one.id}`);
    }
  });
});
