import { reads } from '../../../client/reads.js';
import { readMirroredProof } from '../../../mesh/boards/message.js';
import { readProof } from '../../../server/agents/proofs/read-proof.js';
import { argumentOf } from '../../../server/mcp/part.js';
import { readReport } from '../../../server/moderation/reports/read-report.js';
import { register } from '../../support/agent.js';
import { BASE_URL } from '../../support/board.js';
import {
  type Json,
  type OpenApi,
  type OperationObject,
  operationsOf,
  resolved,
} from '../../support/described.js';
import { givenBoard } from '../../support/hooks.js';
import { preview, publish } from '../../support/post.js';
import { httpBlocks } from './http-blocks.js';

type Described = { path: string; operation: OperationObject };

/** Reads of content that lack a form, and why. */
const WITHOUT: [lacks: string[], why: string, ids: string[]][] = [
  [
    ['sdk'],
    'the SDK reads a board at its own address',
    [
      ...['listMirroredThreads', 'readMirroredThread', 'readMirroredMessage'],
      ...['readMirroredBoardUpdates', 'readMirroredUpdates'],
      ...['readMirroredProof', 'searchMirroredBoards'],
    ],
  ],
  [['sdk', 'tool'], 'its cursor is no message: for HTTP', ['readMeshInbox']],
  [['text'], 'the receipt is what is asked for', ['readRequest']],
  [['tool'], '17 tools: read_thread has the poll', ['readPoll']],
  [['tool'], '17 tools: list_polls has the state', ['readPollUpdates']],
  [['tool'], '17 tools: inbox and look_up tell of a key', ['readProfile']],
  [['text', 'tool'], 'cards for people', ['listSelections', 'readSelection']],
  [['text', 'sdk', 'tool'], 'decisions, no content', ['listDecisions']],
  [['sdk', 'tool'], 'the first page; the brief has it', ['showTopics']],
];

/** Documents, OpenAPI, tools and answers say one and the same. */
describe('one contract', () => {
  const test = givenBoard();
  let whole: OpenApi;
  let documents: { name: string; text: string }[];
  before(async () => {
    whole = (await test.as().get('/openapi.json')).body as OpenApi;
    const { body } = await test.as().get('/api/protocol');
    documents = await Promise.all(
      (body.documents as { name: string }[]).map(async ({ name }) => ({
        name,
        text: (await test.as().get(`/${name}`).buffer(true)).text,
      })),
    );
  });

  /** The operation of a request, with `<…>` or values for its parameters. */
  function operationOf(method: string, path: string): Described | null {
    const segments = path.split('/');
    for (const [template, methods] of Object.entries(whole.paths)) {
      const operation = methods[method.toLowerCase()];
      const parts = template.split('/');
      const fits =
        parts.length === segments.length &&
        parts.every((part, at) => part.includes('{') || part === segments[at]);
      if (operation !== undefined && fits) return { path: template, operation };
    }
    return null;
  }

  const queryOf = ({ operation }: Described): string[] =>
    operation.parameters
      .map((one) => resolved(whole, one))
      .filter((one) => one.in === 'query')
      .map(({ name }) => name);

  function bodySchema({ operation }: Described): {
    properties: Json;
    required?: string[];
  } {
    const media = operation.requestBody?.content['application/json'];
    if (media === undefined)
      throw new Error(`${operation.operationId}: no body`);
    return resolved(whole, media.schema as { $ref: string }) as never;
  }

  /** A request as something says it: what the description knows of it. */
  function expectKnown(
    at: string,
    method: string,
    url: string,
    body?: object,
  ): void {
    const [path = '', query = ''] =
      url.slice(BASE_URL.length).split('#')[0]?.split('?') ?? [];
    const found = operationOf(method, path);
    if (found === null) {
      // The prefix of the log's own paths.
      expect(path, `${at}: ${method} ${url}`).to.equal('/log');
      return;
    }
    const names = query.split('&').map((pair) => pair.split('=')[0] ?? '');
    for (const name of names.filter((it) => it !== '')) {
      // Where a page of a list goes on is written by the board alone.
      if (['snapshot', 'cursor'].includes(name)) continue;
      expect(queryOf(found), `${at}: ${url}`).to.include(name);
    }
    if (body === undefined) return;
    const { properties, required = [] } = bodySchema(found);
    if (path === '/mcp') return;
    expect(Object.keys(properties), `${at}: ${url}`).to.include.members(
      Object.keys(body),
    );
    expect(Object.keys(body), `${at}: ${url}`).to.include.members(required);
  }

  it('has every request of every document, with its parameters and fields', () => {
    let seen = 0;
    for (const { name, text } of documents) {
      for (const { method, url, body } of httpBlocks(text)) {
        const filled = body?.replace(/: <\w+>/g, ': 1');
        expectKnown(name, method, url, filled ? JSON.parse(filled) : undefined);
        seen += 1;
      }
    }
    expect(seen).to.be.above(25);
  });

  it('has every address that a document names', () => {
    let seen = 0;
    for (const { name, text } of documents) {
      const prose = text.replace(/^```[\s\S]*?^```/gm, '');
      for (const [url] of prose.matchAll(
        /http:\/\/board\.test\/[\w./?=&<>-]*[\w>]/g,
      )) {
        const path = url.slice(BASE_URL.length).split('?')[0] ?? '';
        const posted = operationOf('POST', path) !== null;
        expectKnown(name, posted ? 'POST' : 'GET', url);
        seen += 1;
      }
    }
    expect(seen).to.be.above(40);
  });

  it('gives each read of content as text, by the SDK and by a tool, or says why not', async () => {
    const asked: string[] = [];
    const get = async (path: string) => {
      asked.push(path.replace(/\?.*/, ''));
      return { data: [] } as never;
    };
    const sdk = reads({ get, post: get, text: get, bytes: get });
    const ask = (name: string, ...args: unknown[]) =>
      (sdk as unknown as Record<string, (...all: unknown[]) => unknown>)[
        name
      ]?.(...args);
    const { inbox: _, ...others } = sdk;
    for (const name of Object.keys(others)) ask(name, '1');
    ask('inbox', { agentId: 'x' });
    ask('inbox', { ids: [1] });
    const methods = new Set(
      asked.map((path) => operationOf('GET', path)?.operation.operationId),
    );
    const missing: Record<string, string[]> = {};
    for (const { method, operation } of operationsOf(whole)) {
      const { content = {} } = operation.responses[200] ?? {};
      const schema = content['application/json']?.schema;
      if (method !== 'get' || !saysTrust(schema)) continue;
      const { operationId: id, 'x-tool': tool } = operation;
      const lacks = [
        ...('text/plain' in content ? [] : ['text']),
        ...(methods.has(id) ? [] : ['sdk']),
        ...(tool === undefined ? ['tool'] : []),
      ];
      if (lacks.length > 0) missing[id] = lacks;
    }
    expect(missing).to.deep.equal(
      Object.fromEntries(
        WITHOUT.flatMap(([lacks, _, ids]) => ids.map((id) => [id, lacks])),
      ),
    );
  });

  function saysTrust(schema: Json | undefined): boolean {
    if (schema === undefined) return false;
    const { properties, anyOf = [] } = resolved(whole, schema as never) as Json;
    const some = (anyOf as Json[]).some((one) => saysTrust(one));
    return some || 'content_trust' in Object(properties);
  }

  it('has the paths and parameters of /protocol.md, and it theirs', () => {
    const text =
      documents.find(({ name }) => name === 'protocol.md')?.text ?? '';
    const lines = [
      ...text.matchAll(/^- `(GET|POST) (\S+)`(?: \(([^)]*)\))?: /gm),
    ];
    const listed = new Set<string>();
    for (const [, method = '', path = '', parameters = ''] of lines) {
      const found = whole.paths[path]?.[method.toLowerCase()];
      if (found === undefined)
        throw new Error(`${method} ${path} is not there`);
      listed.add(`${method} ${path}`);
      const names = parameters === '' ? [] : parameters.split(', ');
      if (method === 'GET') {
        // That content is also text is said once for all.
        const described = queryOf({ path, operation: found }).filter(
          (name) => name !== 'format' || names.includes(name),
        );
        expect(names, path).to.deep.equal(described);
      }
    }
    const silent = Object.entries(whole.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => !('deprecated' in operation))
        .map(([method]) => `${method.toUpperCase()} ${path}`)
        .filter((name) => !listed.has(name)),
    );
    // Named in the lines of other paths: tiles, mirrors, feeds, boards of the
    // mesh; and documents, of which /llms.txt has a list, and files of pages.
    expect(
      silent.filter(
        (it) =>
          !/\/tile\/|\/mirror\/|feed\.|\.atom|\.json|\/api\/mesh|\/mcp|\.(?:md|txt|xml|css|svg|ico)$|GET \/mesh\/|\/report|\/reference\/|\/(?:my|selections|connect)$/i.test(
            it,
          ),
      ),
    ).to.deep.equal([]);
  });

  it('has what the tools take', async () => {
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const { text } = await test.as().post('/mcp').send(asked);
    const { tools } = JSON.parse(text).result;
    const { limits } = test.board.context;
    const called = [readProof, readReport, readMirroredProof]
      .flatMap((one) => one.operations({ limits, baseUrl: BASE_URL }))
      .flatMap(({ tool, params, query }) =>
        Object.keys({ ...params, ...query }).flatMap((input) =>
          tool === undefined ? [] : argumentOf(tool, input),
        ),
      );
    // Of the tools alone: an address, and what is called otherwise there.
    const fields = new Set(['publish_url', ...called]);
    for (const [path, methods] of Object.entries(whole.paths)) {
      for (const operation of Object.values(methods)) {
        for (const one of operation.parameters)
          fields.add(resolved(whole, one).name);
        const isJson = operation.requestBody?.content['application/json'];
        if (!isJson || path === '/mcp') continue;
        const { properties = {} } = bodySchema({ path, operation });
        for (const name of Object.keys(properties)) fields.add(name);
      }
    }
    for (const { name, inputSchema } of tools) {
      for (const argument of Object.keys(inputSchema.properties)) {
        expect(fields, `${name} ${argument}`).to.include(argument);
      }
    }
    expect(tools.length).to.be.above(8);
  });

  it('has every action and every address of its answers', async () => {
    const { message } = await publish(test, {
      title: 'A poll',
      poll: { question: 'Which?', options: ['one', 'two'] },
    });
    await publish(test, { reply_to: message.id, body: `See #${message.id}.` });
    const agent = await register(test);
    const shown = await preview(test, { agent_id: agent.id });
    const answers: [string, unknown][] = [['preview', shown.body]];
    for (const path of [
      ...['/api/brief', '/api/threads?limit=1', '/api/rooms', '/api/polls'],
      ...[
        '/api/thread/1?last=1',
        '/api/messages/2',
        '/api/updates',
        '/api/top',
      ],
      ...['/api/protocol', '/api/mesh', '/.well-known/api-catalog'],
      ...['/.well-known/agent-skills/index.json', '/write/preview?body=x'],
    ]) {
      answers.push([path, (await test.as().get(path)).body]);
    }
    let actions = 0;
    const walk = (at: string, value: unknown): void => {
      if (typeof value === 'string') {
        if (!/^http:\/\/board\.test\/[^ ]*$/.test(value)) return;
        const url = value.replaceAll('ID_OF_A_MESSAGE', '1');
        const path = url.slice(BASE_URL.length).split('?')[0] ?? '';
        if (/\/SKILL\.md$|^\/api$/.test(path)) return; // the guide; an anchor
        const posted =
          operationOf('GET', path) === null && operationOf('POST', path);
        expectKnown(at, posted ? 'POST' : 'GET', url);
        return;
      }
      if (typeof value !== 'object' || value === null) return;
      const { method, url, json_template: template } = value as Json;
      if (typeof method === 'string' && typeof url === 'string') {
        const address = url.replaceAll('ID_OF_A_MESSAGE', '1');
        // Of a template the rest may be left out: a signature is not.
        const found = operationOf(
          method,
          address.slice(BASE_URL.length).split('?')[0] ?? '',
        );
        expect(found, `${at}: ${method} ${url}`).not.to.equal(null);
        if (found && template) {
          const { properties } = bodySchema(found);
          expect(Object.keys(properties), `${at} ${url}`).to.include.members(
            Object.keys(template as object),
          );
          actions += 1;
        }
      }
      for (const [key, inner] of Object.entries(value))
        walk(`${at}.${key}`, inner);
    };
    for (const [at, answer] of answers) walk(at, answer);
    expect(actions).to.be.above(7);
  });
});
