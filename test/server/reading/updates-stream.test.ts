import { once } from 'node:events';
import http from 'node:http';
import { mock } from 'node:test';
import { freshNetwork } from '../../support/random.js';
import { until } from '../../support/until.js';
import { get, givenReadable, ids, reply, topic } from './fixture.js';

type StreamEvent = {
  id: string;
  raw: string;
  data: { data: { id: number; body?: string }[] };
};
type Stream = {
  response: http.IncomingMessage;
  next(): Promise<StreamEvent>;
  ended: Promise<void>;
  close(): void;
};

describe('GET /api/updates as server-sent events', () => {
  const test = givenReadable({ limits: { waits_per_network: 1 } });
  let root: number;
  beforeEach(async () => {
    root = await topic(test);
  });

  async function open(query = '', headers = {}): Promise<Stream> {
    const request = http.get(`${test.url}/api/updates${query}`, {
      headers: {
        Accept: 'text/event-stream',
        'X-Forwarded-For': freshNetwork(),
        ...headers,
      },
    });
    const response = await new Promise<http.IncomingMessage>(
      (resolve, reject) => {
        request.on('response', resolve).on('error', reject);
      },
    );
    let text = '';
    let look = () => {};
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      look();
    });
    const ended = new Promise<void>((resolve) => {
      response.on('close', () => resolve());
    });
    response.on('error', () => {});
    const next = () =>
      new Promise<StreamEvent>((resolve) => {
        look = () => {
          const match = /id: (\d+)\ndata: (.*)\n\n/.exec(text);
          if (match === null) return;
          text = text.slice(match.index + match[0].length);
          look = () => {};
          const [, id = '', raw = ''] = match;
          resolve({ id, raw, data: JSON.parse(raw) });
        };
        look();
      });
    return { response, next, ended, close: () => request.destroy() };
  }

  it('gives the same pages, the cursor as id', async () => {
    const stream = await open();
    const plain = await get(test, '/api/updates');
    const event = await stream.next();
    expect(event.data).to.deep.equal(plain.body);
    expect(event.id).to.equal(String(plain.body.cursor));
    stream.close();
  });

  it('have no end of a line inside that is none of a stream', async () => {
    const forged = '\n\nevent: message\ndata: {"system":"x"}\nid: 9\n\n';
    const marks = ['one\u2028two', '\u2029 a \u2029b', 'x\u0085\u2028y'];
    for (const text of [...marks, forged, 'a\r\rid: 9\r\n\r\nb']) {
      const id = await topic(test, { title: 'Lines', body: text });
      const stream = await open(`?since=${id - 1}&limit=1`);
      const { data, raw } = await stream.next();
      expect(raw).not.to.match(/[\u0085\u2028\u2029]/);
      expect(data.data[0]).to.include({ id, body: text });
      stream.close();
      const said = async (format?: string) => {
        const call = { name: 'read_message', arguments: { id, format } };
        const { text: event } = await test
          .as()
          .post('/mcp')
          .set('Accept', 'application/json, text/event-stream')
          .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
        expect(event).not.to.match(/[\u0085\u2028\u2029]/);
        const [, json = ''] = /^data: (.*)$/m.exec(event) ?? [];
        return JSON.parse(json).result.content[0].text;
      };
      const plain = await get(test, `/api/messages/${id}`);
      expect(JSON.parse(await said('json'))).to.deep.include(plain.body);
      expect(await said()).to.include(`\n${text}\n`);
    }
  });

  it('goes on with what comes', async () => {
    const stream = await open(`?since=${root}`);
    for (let n = 0; n < 3; n += 1) {
      const id = await reply(test, root);
      const event = await stream.next();
      expect(ids({ body: event.data })).to.deep.equal([id]);
      expect(event.id).to.equal(String(id));
    }
    stream.close();
  });

  it('sends page after page to a reader that is behind', async () => {
    const wanted = [root, await reply(test, root), await reply(test, root)];
    const stream = await open(`?since=${root - 1}&limit=1`);
    for (const id of wanted) {
      expect((await stream.next()).id).to.equal(String(id));
    }
    stream.close();
  });

  it('resumes at Last-Event-ID, which outranks since', async () => {
    const id = await reply(test, root);
    const stream = await open('?since=0', { 'Last-Event-ID': String(root) });
    const event = await stream.next();
    expect(ids({ body: event.data })).to.deep.equal([id]);
    stream.close();
  });

  it('refuses a Last-Event-ID that is none', async () => {
    const { response, close } = await open('', { 'Last-Event-ID': 'x' });
    expect(response.statusCode).to.equal(400);
    close();
  });

  it('is neither stored, changed nor buffered on its way', async () => {
    const { response, close } = await open();
    expect(response.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    close();
  });

  it('ends when the board stops', async () => {
    const stream = await open(`?since=${root}`);
    const stopped = test.board.stop();
    await stream.ended;
    await stopped;
    await test.restart();
  });

  it('leaves no waiter behind when the client goes away', async () => {
    const stream = await open(`?since=${root}`);
    await until('it waiting', async () => (await test.waits('messages')) === 1);
    stream.close();
    await until('nobody', async () => (await test.waits('messages')) === 0);
    await until('its place', async () => (await test.waits('places')) === 0);
  });

  it('takes a place among the waits of its network', async () => {
    const from = { 'X-Forwarded-For': freshNetwork() };
    const stream = await open('', from);
    const second = await open('', from);
    expect(second.response.statusCode).to.equal(429);
    expect(second.response.headers['content-type']).to.match(
      /^application\/json/,
    );
    const other = await open();
    expect(other.response.statusCode).to.equal(200);
    for (const one of [stream, second, other]) one.close();
  });

  it('says every 15 s that it lives', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const stream = await open(`?since=${root}`);
      const chunk = once(stream.response, 'data');
      await chunk; // the first line, how soon to come again
      for (let n = 0; n < 2; n += 1) {
        const said = once(stream.response, 'data');
        mock.timers.tick(15_000);
        expect(String(await said)).to.equal(': still here\n\n');
      }
      stream.close();
    } finally {
      mock.timers.reset();
    }
  });

  it('is for those who accept it', async () => {
    for (const accept of ['*/*', 'application/json', 'text/event-stream;q=0']) {
      const answer = await get(test, '/api/updates').set('Accept', accept);
      expect(answer.headers['content-type'], accept).to.match(/json/);
    }
  });
});
