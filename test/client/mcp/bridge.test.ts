import {
  createServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { PassThrough } from 'node:stream';
import { bridge } from '../../../client/mcp/bridge.js';
import { given } from '../../support/hooks.js';
import { serving } from '../../support/serving.js';
import { until } from '../../support/until.js';

type Said = {
  id?: unknown;
  result?: { isError?: boolean; content: { text: string }[] };
  error?: { code: number; message: string; data?: object };
};

const call = (id: unknown, name = 'top') => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
});
const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('the bridge from standard input to /mcp', () => {
  let answering: RequestListener;
  let asked: IncomingMessage[];
  let input: PassThrough;
  let said: Said[];
  let over: Promise<void>;

  const listener: RequestListener = (req, res) => {
    asked.push(req);
    answering(req, res);
  };
  const server = given(() => serving(createServer(listener)));

  beforeEach(() => {
    asked = [];
    begin(server.url);
  });

  afterEach(async () => {
    input.end();
    await over;
  });

  function begin(to: string): void {
    input = new PassThrough();
    said = [];
    over = bridge({ board: to, agentName: 'a test' }, input, (line) => {
      expect(line).to.match(/^[^\n]*\n$/);
      said.push(JSON.parse(line));
    });
  }

  const send = (...messages: unknown[]) => {
    for (const one of messages) input.write(`${JSON.stringify(one)}\n`);
  };
  const answers = async (count: number) => {
    await until(`${count} answers`, () => said.length >= count);
    return said;
  };
  /** The error that a model reads. */
  const errorOf = ({ result }: Said) => {
    expect(result?.isError).to.equal(true);
    return JSON.parse(result?.content[0]?.text ?? '');
  };

  it('carries a message each way, as JSON or as an event', async () => {
    answering = (req, res) => {
      const isFirst = asked.length === 1;
      const result = { jsonrpc: '2.0', id: isFirst ? 1 : 'b', result: {} };
      const text = JSON.stringify(result);
      res.setHeader('Content-Type', isFirst ? 'application/json' : EVENTS);
      const note = '{"jsonrpc":"2.0","method":"notifications/message"}';
      res.end(isFirst ? text : `data: ${note}\n\n: still\n\ndata: ${text}\n\n`);
      req.resume();
    };
    send(ping(1));
    await answers(1);
    send(ping('b'));
    const [first, note, second] = await answers(3);
    expect(first).to.deep.equal({ jsonrpc: '2.0', id: 1, result: {} });
    expect(note).to.include({ method: 'notifications/message' });
    expect(second).to.include({ id: 'b' });
    expect(asked[0]?.url).to.equal('/mcp');
    expect(asked[0]?.headers).to.include({ 'x-agent-name': 'a test' });
  });

  it('reads every end of a line of events, and no other', async () => {
    const texts = ['a\u2028b', 'a\u2029', '\u0085a\u2028\u2029', 'a\v\fb'];
    const forms: ((json: string) => string)[] = [
      (json) => `event: message\ndata: ${json}\n\n`,
      (json) => `data:${json}\r\n\r\n`,
      (json) => `: still\r\rid: 1\rdata: ${json}\r\r`,
      (json) => `data: ${json.replace(',', ',\ndata: ')}\n\n`,
    ];
    for (const [at, text] of texts.entries()) {
      for (const form of forms) {
        answering = (_, res) => {
          const result = { content: [{ type: 'text', text }] };
          const json = JSON.stringify({ jsonrpc: '2.0', id: at, result });
          res.writeHead(200, { 'Content-Type': EVENTS }).end(form(json));
        };
        said.length = 0;
        send(call(at));
        const [answer] = await answers(1);
        expect(answer?.result?.content[0]?.text, `${form}`).to.equal(text);
      }
    }
  });

  it('answers a batch in one line, once the board has agreed to them', async () => {
    answering = (req, res) => {
      req.setEncoding('utf8').on('data', (text: string) => {
        const { id, method } = JSON.parse(text);
        const result = { protocolVersion: '2025-03-26', method };
        res.writeHead(id === undefined ? 202 : 200, JSON_TYPE);
        res.end(
          id === undefined
            ? ''
            : JSON.stringify({ jsonrpc: '2.0', id, result }),
        );
      });
    };
    send([ping(1), ping(2)]);
    const [refused] = await answers(1);
    expect(refused?.error?.code).to.equal(-32_600);
    send({ ...ping(0), method: 'initialize' });
    await answers(2);
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    send([note], [ping('b'), note, ping('a')]);
    const [, , batch] = await answers(3);
    const ids = (batch as unknown as Said[]).map(({ id }) => id);
    expect(ids).to.have.members(['a', 'b']);
    send(Array.from({ length: 17 }, (_, id) => ping(id)));
    expect((await answers(4))[3]?.error?.code).to.equal(-32_600);
  });

  it('makes a result of a refusal of the board, in either form', async () => {
    const error = {
      ...{ error: 'rate_limited', detail: 'Too many.' },
      retry_after_seconds: 7,
    };
    for (const [id, body] of [
      [1, error],
      [
        2,
        {
          jsonrpc: '2.0',
          id: 2,
          error: { code: -32_600, message: '', data: error },
        },
      ],
    ] as const) {
      answering = (_, res) =>
        res.writeHead(429, JSON_TYPE).end(JSON.stringify(body));
      send(call(id));
      const told = errorOf((await answers(id)).at(-1) as Said);
      expect(told).to.include({ error: 'rate_limited' });
      expect(told.next_call).to.include('Wait 7 seconds');
    }
  });

  it('says in headers what the message says', async () => {
    answering = (_, res) => {
      const result = { protocolVersion: '2025-11-25' };
      res.writeHead(200, JSON_TYPE);
      res.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    };
    const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const params = { name: 'topé', arguments: {}, _meta: modern };
    send({ ...ping(1), method: 'initialize' });
    await answers(1);
    send({ ...call(1), params });
    await answers(2);
    send(ping(1));
    await answers(3);
    const [first, second, third] = asked.map(({ headers }) => headers);
    expect(first).not.to.have.property('mcp-protocol-version');
    expect(second).to.include({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('topé').toString('base64')}?=`,
    });
    expect(third).to.include({ 'mcp-protocol-version': '2025-11-25' });
  });

  it('answers itself what is no message, and goes on', async () => {
    answering = (_, res) => res.writeHead(200, JSON_TYPE).end(PONG);
    input.write('{\n\n  \n');
    send([ping(1)], 1, null, { id: 1, method: 'ping' });
    input.write(`${'x'.repeat(3_000_000)}\n`);
    send({ jsonrpc: '2.0', id: 5, result: {} }, ping(1));
    const all = await answers(7);
    expect(all.slice(0, 6).map(({ error }) => error?.code)).to.deep.equal([
      -32_700, -32_600, -32_600, -32_600, -32_600, -32_600,
    ]);
    expect(all.slice(0, 6).map(({ id }) => id)).to.deep.equal(
      Array(6).fill(null),
    );
    expect(all[6]).to.deep.equal(JSON.parse(PONG));
    expect(asked).to.have.length(1);
  });

  it('makes an answer of what answers otherwise', async () => {
    const wait = { error: 'rate_limited', detail: 'Wait.' };
    const limited = JSON.stringify({ ...wait, retry_after_seconds: 7 });
    const cases: [number, string, string, string | null][] = [
      [200, '<!doctype html><p>Hello', 'not_a_board', null],
      [200, '{"jsonrpc":"2.0","id":1,"resu', 'not_a_board', null],
      [200, '{"jsonrpc":"2.0","id":2,"result":{}}', 'not_a_board', null],
      [200, '', 'not_a_board', null],
      [202, '', 'not_a_board', null],
      [404, '<h1>Not found</h1>', 'not_a_board', null],
      [302, '', 'unavailable', 'Wait a few seconds, then call top'],
      [502, '<h1>Bad Gateway</h1>', 'unavailable', 'Wait a few seconds'],
      [429, limited, 'rate_limited', 'Wait 7 seconds, then call top'],
    ];
    for (const [status, body, error, next] of cases) {
      answering = (_, res) =>
        res.writeHead(status, { ...JSON_TYPE, Location: '/' }).end(body);
      said.length = 0;
      send(call(1));
      const [answer = {}] = await answers(1);
      expect(answer.id).to.equal(1);
      const told = errorOf(answer);
      expect(told.error, `${status} ${body}`).to.equal(error);
      if (next === null) expect(told.detail).to.include('the address');
      else expect(told.next_call, `${status} ${body}`).to.include(next);
    }
  });

  it('hands on what the board says of a message it cannot read', async () => {
    const error = { code: -32_600, message: 'no' };
    answering = (_, res) =>
      res
        .writeHead(400, JSON_TYPE)
        .end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    send(ping(3));
    expect(await answers(1)).to.deep.equal([{ jsonrpc: '2.0', id: 3, error }]);
    answering = (_, res) =>
      res.writeHead(400, JSON_TYPE).end('{"error":"x","detail":"Mend it."}');
    send(ping(4), call(5));
    // Both are asked at once, so either may be answered first.
    const all = await answers(3);
    const [plain, tool = {}] = [4, 5].map((id) =>
      all.find((one) => one.id === id),
    );
    expect(plain?.error).to.include({ code: -32_600, message: 'Mend it.' });
    expect(errorOf(tool)).to.deep.equal({ error: 'x', detail: 'Mend it.' });
  });

  it('says that nobody is there, and asks again with the next message', async () => {
    input.end();
    await over;
    const closed = await serving(createServer());
    await closed.stop();
    begin(closed.url);
    send(call(1), { ...ping(2), method: 'initialize' });
    const all = await answers(2);
    const tool = all.find(({ id }) => id === 1) ?? {};
    const first = all.find(({ id }) => id === 2);
    expect(errorOf(tool)).to.include({ error: 'unavailable' });
    expect(first?.error?.message).to.include('No board answers at');
    send({ jsonrpc: '2.0', method: 'notifications/initialized' }, call(3));
    expect((await answers(3))[2]?.id).to.equal(3);
  });

  it('lets go what is cancelled, without an answer', async () => {
    answering = () => {};
    send(call('slow'), call('other'));
    await until('both asked', () => asked.length === 2);
    let gone = 0;
    for (const { socket } of asked) socket.once('close', () => ++gone);
    const params = { requestId: 'slow' };
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    await until('one gone', () => gone === 1);
    answering = (_, res) => res.writeHead(200, JSON_TYPE).end(PONG);
    send(ping(1));
    await answers(1);
    expect(said).to.deep.equal([JSON.parse(PONG)]);
  });

  it('answers what came in before its input ended, but waits for nobody', async () => {
    answering = (_, res) => {
      if (asked.length === 1) return; // for ever
      res.writeHead(200, JSON_TYPE).end(PONG);
    };
    send(call('slow'));
    await until('it asked', () => asked.length === 1);
    input.end(JSON.stringify(ping(1))); // without the end of its line
    await over;
    expect(said).to.deep.equal([JSON.parse(PONG)]);
  });
});

const EVENTS = 'text/event-stream; charset=utf-8';
const PONG = JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} });
