import { startBoard } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { withLimits } from '../../support/limits.js';
import { freshNetwork } from '../../support/random.js';
import { until } from '../../support/until.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const MODERN = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};
const request = (method: string, params?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params === undefined ? {} : { params }),
});
const call = (name: string, args: unknown = {}) =>
  request('tools/call', { name, arguments: args });

describe('the edge of /mcp', () => {
  const test = givenBoard();

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    test
      .as()
      .post('/mcp')
      .set('Content-Type', 'application/json')
      .set(headers)
      .send(typeof body === 'string' ? body : JSON.stringify(body));

  const modern = (
    method: string,
    params: object = {},
    headers: Record<string, string> = {},
  ) =>
    post(request(method, { ...params, _meta: META }), {
      'MCP-Protocol-Version': MODERN,
      'Mcp-Method': method,
      ...headers,
    });

  it('answers today’s clients with plain JSON, without a handshake', async () => {
    const found = await modern('server/discover').expect(200);
    expect(found.body.result.supportedVersions).to.include(MODERN);
    expect(found.body.result.instructions).to.include('untrusted');
    const { body, headers } = await modern(
      'tools/call',
      { name: 'top', arguments: { format: 'json' } },
      { 'Mcp-Name': 'top' },
    );
    expect(JSON.parse(body.result.content[0].text).content_trust).to.equal(
      'untrusted_public_data',
    );
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers).not.to.have.property('access-control-allow-origin');
    expect(headers).not.to.have.property('mcp-session-id');
  });

  it('answers under any Host', async () => {
    for (const host of ['[', 'a b', 'a:b:c', '%', 'x'.repeat(300), '☃']) {
      const Host = Buffer.from(host, 'utf8').toString('latin1');
      const { status, body } = await post(request('ping'), { Host });
      expect([status, body.result], host).to.deep.equal([200, {}]);
    }
  });

  it('answers one event to who asks for events, JSON to who does not', async () => {
    const plain = await post(request('ping'));
    expect(plain.headers['content-type']).to.equal(JSON_TYPE);
    expect(plain.body).to.deep.equal({ jsonrpc: '2.0', id: 1, result: {} });
    const both = await post(request('ping'), {
      Accept: 'application/json, text/event-stream',
    });
    expect(both.headers['content-type']).to.match(/^text\/event-stream/);
    const [, data = ''] =
      /^event: message\ndata: (.*)\n\n$/.exec(both.text) ?? [];
    expect(JSON.parse(data)).to.deep.equal(plain.body);
  });

  it('refuses headers that contradict the body', async () => {
    for (const headers of [
      { 'Mcp-Method': 'ping' },
      { 'Mcp-Name': 'search' },
    ]) {
      const params = { name: 'top', arguments: {} };
      const answer = await modern('tools/call', params, {
        'Mcp-Name': 'top',
        ...headers,
      });
      expect(answer.status).to.equal(400);
      expect(answer.body.error.code).to.be.a('number');
    }
  });

  it('holds no stream open', async () => {
    const params = { notifications: { toolsListChanged: true } };
    const { body } = await modern('subscriptions/listen', params).expect(200);
    expect(body.error.message).to.include('limit');
  });

  it('answers by its own names only', async () => {
    const alone = await startBoard({ env: { TRUST_PROXY: '' } });
    const statusOf = async (host: string) => {
      const answer = await alone
        .as()
        .post('/mcp')
        .set('Host', host)
        .send(request('ping'));
      return answer.status;
    };
    for (const host of [
      'board.test',
      'BOARD.test:80',
      'localhost:1',
      '[::1]',
    ]) {
      expect(await statusOf(host), host).to.equal(200);
    }
    for (const host of [
      'evil.test',
      'board.test.evil.test',
      'x:y',
      '0.0.0.0',
    ]) {
      expect(await statusOf(host), host).to.equal(403);
    }
    await alone.stop();
  });

  it('reads JSON as strictly as every other write', async () => {
    const cases: [string, string][] = [
      ['{', 'invalid_json'],
      ['\ufeff{}', 'invalid_json'],
      [
        '{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}',
        'invalid_json',
      ],
      ['{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', 'invalid_unicode'],
      ['{"jsonrpc":"2.0","id":1,"method":"\\u0000"}', 'invalid_unicode'],
      ['[]', 'invalid_input'],
      ['null', 'invalid_input'],
      ['{}', 'invalid_input'],
      ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 'invalid_input'],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 'invalid_input'],
      ['{"jsonrpc":"2.0","id":1,"method":"ping","x":1}', 'unknown_field'],
    ];
    for (const [body, error] of cases) {
      const answer = await post(body);
      expect(answer.status, body).to.equal(400);
      expect(answer.body.jsonrpc, body).to.equal('2.0');
      expect(answer.body.error.data.error, body).to.equal(error);
      const isUnread = error === 'invalid_json' || error === 'invalid_unicode';
      expect(answer.body.error.code).to.equal(isUnread ? -32_700 : -32_600);
      expect(answer.headers['content-type']).to.equal(JSON_TYPE);
    }
    const long = await post(
      JSON.stringify(call('search', { q: 'x'.repeat(70_000) })),
    );
    expect(long.status).to.equal(413);
  });

  it('refuses in JSON-RPC, with the id of the request where it was read', async () => {
    for (const [body, id] of [
      [{ jsonrpc: '2.0', id: 'a', method: 'ping', x: 1 }, 'a'],
      [{ jsonrpc: '2.0', id: 7, method: 5 }, 7],
      [{ jsonrpc: '2.0', id: 8, method: 'ping', params: [] }, 8],
      [{ jsonrpc: '2.0', id: { a: 1 }, method: 'ping' }, null],
      [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, null],
    ] as const) {
      const { status, body: answer } = await post(body);
      expect([status, answer.id], JSON.stringify(body)).to.deep.equal([
        400,
        id,
      ]);
      expect(answer.error.message).to.equal(answer.error.data.detail);
    }
    const got = await test.as().get('/mcp');
    expect([got.status, got.body.error.code]).to.deep.equal([405, -32_600]);
    await withLimits(test, { reads_per_network_minute: 1 }, async (from) => {
      const ask = () => test.as(from).post('/mcp').send(request('ping'));
      await ask();
      const { status, body, headers } = await ask();
      expect([status, body.error.data.error, body.id]).to.deep.equal([
        ...[429, 'rate_limited', 1],
      ]);
      expect(Number(headers['retry-after'])).to.be.above(0);
    });
  });

  it('takes null in place of what is left out', async () => {
    for (const body of [
      { ...request('ping'), params: null },
      { ...request('tools/list'), params: null },
      call('top', null),
      request('tools/list', { cursor: null, _meta: null }),
      ...[null, '', []].map((none) =>
        request('tools/call', { name: 'board_brief', arguments: none }),
      ),
    ]) {
      const answer = await post(body);
      expect(answer.status, JSON.stringify(body)).to.equal(200);
      expect(answer.body.error, answer.text).to.equal(undefined);
    }
  });

  it('says in words which parameter is wrong', async () => {
    for (const [method, params] of [
      ['tools/list', { cursor: 5 }],
      ['tools/list', { cursor: {} }],
      ['tools/call', {}],
      ['tools/call', { name: ['top'] }],
    ] as const) {
      const { body } = await post(request(method, params));
      expect([body.id, body.error.code]).to.deep.equal([1, -32_602]);
      expect(body.error.message).to.match(/^params\.\w+: [^[{]+$/);
    }
  });

  it('says in plain words that arguments are an object', async () => {
    for (const args of ['{"id":1}', [1], 7, true]) {
      const params = { name: 'read_thread', arguments: args };
      const asked = request('tools/call', params);
      for (const sent of [asked, [asked]]) {
        const { body } = await post(sent);
        const [{ id, error }] = [body].flat();
        expect(id, JSON.stringify(sent)).to.equal(asked.id);
        expect(error.code).to.equal(-32600);
        expect(error.message).to.match(/^The `arguments` of a tool must be/);
      }
    }
  });

  describe('for batches of 2025-03-26', () => {
    const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const note = { jsonrpc: '2.0', method: 'notifications/cancelled' };
    const old = { 'MCP-Protocol-Version': '2025-03-26' };

    it('answers each message, in their order, a refusal too', async () => {
      const batch = [
        ping('x'),
        { ...note, params: { requestId: 1 } },
        call('top'),
        { jsonrpc: '2.0', id: 5, method: 'ping', extra: true },
        'no message',
        request('nothing'),
      ];
      for (const headers of [{}, old]) {
        const { body } = await post(batch, headers).expect(200);
        expect(body.map(({ id }: { id: unknown }) => id)).to.deep.equal([
          ...['x', 1, 5, null, 1],
        ]);
        expect(body[0].result).to.deep.equal({});
        expect(body[1].result.content[0].text).to.match(/^TOP \{/);
        expect(body[2].error.data.error).to.equal('unknown_field');
        expect(body[3].error.code).to.equal(-32_600);
        expect(body[4].error.message).to.include('The methods are');
      }
      const Accept = 'application/json, text/event-stream';
      const { text } = await post([ping(1), ping(2)], { ...old, Accept });
      const [, data = ''] = /^event: message\ndata: (.*)\n\n$/.exec(text) ?? [];
      expect(JSON.parse(data)).to.have.length(2);
    });

    it('answers 202 where nothing asks', async () => {
      const { status, text } = await post([note, note], old);
      expect([status, text]).to.deep.equal([202, '']);
    });

    it('takes 16 messages, and none in other revisions', async () => {
      const many = (n: number) =>
        Array.from({ length: n }, (_, id) => ping(id));
      expect((await post(many(16))).body).to.have.length(16);
      for (const [batch, headers] of [
        [many(17), {}],
        [[], {}],
        [many(2), { 'MCP-Protocol-Version': '2025-06-18' }],
        [many(2), { 'MCP-Protocol-Version': MODERN }],
      ] as const) {
        const { body } = await post(batch, headers).expect(400);
        expect(body.id).to.equal(null);
        expect(body.error.code).to.equal(-32_600);
      }
    });

    it('counts each message', async () => {
      await withLimits(test, { reads_per_network_minute: 4 }, async (from) => {
        const batch = [...[1, 2, 3, 4, 5].map(ping), note, ping(6), note];
        const { body } = await test.as(from).post('/mcp').send(batch);
        const kinds = body.map(
          (one: { error?: { data: { error: string } } }) =>
            one.error === undefined ? 'ok' : one.error.data.error,
        );
        expect(kinds).to.deep.equal([
          ...['ok', 'ok', 'ok', 'ok', 'rate_limited', 'rate_limited'],
        ]);
      });
    });
  });

  it('gives back the id of a request, whatever words it has', async () => {
    for (const id of ['Method not found', '$&', 'error', '[\n]', '[\n{]']) {
      const { body } = await post({ ...request('nothing'), id });
      expect(body.id).to.equal(id);
      expect(body.error.message).to.match(
        /^Method not found\. The methods are:/,
      );
    }
    const { body } = await post({ ...request('ping'), id: 'Method not found' });
    expect(body).to.deep.include({ id: 'Method not found', result: {} });
  });

  it('gives nothing a client sends a 5xx', async () => {
    const bodies = [
      request('nope'),
      request('__proto__', { constructor: 1 }),
      request('initialize', {}),
      request('initialize', { protocolVersion: '9999-99-99' }),
      request('tools/call', {}),
      request('tools/list', { cursor: 'x' }),
      request('resources/read', { uri: 'file:///etc/passwd' }),
      request('completion/complete', {}),
      request('logging/setLevel', { level: 'debug' }),
      request('notifications/cancelled', { requestId: 1 }),
      { jsonrpc: '2.0', method: 'notifications/cancelled' },
      ...['__proto__', 'toString', 'constructor', ''].map((it) => call(it)),
      ...[null, [], 'x', 1, { id: 1e300 }, { id: '1' }, { id: 0 }].map((it) =>
        call('read_message', it),
      ),
      call('search', { q: '\u0001%00&q=a#' }),
      call('search', { q: '\u{1f600}'.repeat(100) }),
      call('wait_updates', { since: 999_999_999_999_999, wait: 0 }),
      call('wait_updates', { since: 0, wait: 26 }),
      call('publish', { ticket: '', answer: '', confirm: 'publish-publicly' }),
      call('preview_message', { request_id: 'x', body: 'y' }),
    ];
    for (const body of bodies) {
      for (const version of ['', MODERN, 'banana', '2024-11-05']) {
        const headers: Record<string, string> =
          version === '' ? {} : { 'MCP-Protocol-Version': version };
        const { status, text } = await post(body, headers);
        const at = `${version} ${JSON.stringify(body)}`;
        expect(status, `${at} ${text}`).to.be.below(500);
        expect(text, at).not.to.match(/ECONN|stack|node_modules|at \w+ \(/);
      }
    }
  });

  it('counts every message as a read of its network', async () => {
    await withLimits(test, { reads_per_network_minute: 3 }, async (from) => {
      const one = await test.as(from).post('/mcp').send(call('top'));
      expect(one.status).to.equal(200); // two reads: the message and the tool
      const two = await test.as(from).post('/mcp').send(call('top'));
      expect(two.status).to.equal(200);
      expect(two.text).to.include('reads_per_network_minute');
      const three = await test.as(from).post('/mcp').send(request('ping'));
      expect(three.status).to.equal(429);
      const other = await test.post('/mcp', call('top'), freshNetwork());
      expect(other.text).not.to.include('rate_limited');
    });
  });

  it('lets a waiting tool go when its client goes', async () => {
    const begin = () => {
      const asked = test.post(
        '/mcp',
        call('wait_updates', { since: 999_999, wait: 25 }),
      );
      const over = asked.then(
        () => true,
        () => true,
      );
      return { asked, over };
    };
    let waiting = begin();
    await until('the tool waiting', async () => {
      // Told to come back by a machine that is too busy, it asks again.
      const over = await Promise.race([waiting.over, Promise.resolve(false)]);
      if (over) waiting = begin();
      return (await test.waits('messages')) > 0;
    });
    waiting.asked.abort();
    await until('it gone', async () => (await test.waits('messages')) === 0);
  });
});
