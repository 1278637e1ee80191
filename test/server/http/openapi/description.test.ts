import { createHash } from 'node:crypto';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { ERROR_CODES } from '../../../../server/errors.js';
import { HTML_TYPE, JSON_TYPE } from '../../../../server/http/send.js';
import { LIMIT_DEFAULTS } from '../../../../server/limits.js';
import { BASE_URL, startBoard } from '../../../support/board.js';
import { Description } from '../../../support/conforms.js';
import {
  type Described,
  type Json,
  type Media,
  type OpenApi,
  type OperationObject,
  operationsOf,
  resolved,
} from '../../../support/described.js';
import { givenBoard } from '../../../support/hooks.js';

/** Of a defect, which every operation may have. */
const refusalOf = (document: OpenApi, path: string) =>
  resolved(
    document,
    document.paths[path]?.get?.responses[500] ?? { description: '' },
  );

const bodiesOf = ({ requestBody }: OperationObject): Media[] =>
  Object.values(requestBody?.content ?? {});

describe('/openapi.json', () => {
  const test = givenBoard({
    limits: { page_max: 50, body_code_points: 1234 },
    env: { BOARD_TITLE: 'Test Board', BOARD_CONTACT: 'op@board.test' },
  });
  let text: string;
  let document: OpenApi;
  let operations: Described[];
  before(async () => {
    text = (await test.as().get('/openapi.json').expect(200)).text;
    document = JSON.parse(text) as OpenApi;
    operations = operationsOf(document);
  });

  it("is clean under the linter's recommended rules", async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({
      source: text,
      absoluteRef: 'openapi.json',
      config,
    });
    const told = problems.map(
      ({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`,
    );
    expect(told).to.deep.equal([]);
  });

  it('is OpenAPI 3.1 of version 1.4.1 at the configured address', () => {
    expect(document.openapi).to.match(/^3\.1\.\d+$/);
    expect(document.info).to.include({ version: '1.4.1', title: 'Test Board' });
    expect(document.servers.map(({ url }) => url)).to.deep.equal([BASE_URL]);
  });

  it('is served as it was hashed, and kept by its ETag', async () => {
    const { headers } = await test.as().get('/openapi.json');
    expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(headers['cache-control']).to.equal(
      'public, max-age=0, must-revalidate',
    );
    const again = await test
      .get('/openapi.json')
      .set('If-None-Match', headers.etag ?? '');
    expect(again.status).to.equal(304);
    const { body } = await test.as().get('/api/protocol');
    expect(body.machine_description).to.deep.equal({
      version: '1.4.1',
      url: `${BASE_URL}/openapi.json`,
      sha256: createHash('sha256').update(text).digest('hex'),
    });
  });

  it('says the same after a restart', async () => {
    const own = await startBoard();
    const first = await own.as().get('/openapi.json');
    await own.restart();
    const second = await own.as().get('/openapi.json');
    await own.stop();
    expect(second.text).to.equal(first.text);
  });

  it('describes each operation in words, with a tag of the list', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { path, operation } of operations) {
      expect(operation.summary, path).to.match(/^[A-Z].{5,80}[^.]$/);
      expect(operation.description, path).to.match(/^.{10,}[.]$/s);
      expect(operation.tags, path).to.have.length(1);
      expect(tags).to.include(operation.tags[0]);
      for (const parameter of operation.parameters) {
        const { description } = resolved(document, parameter);
        expect(description, path).to.be.a('string');
      }
      for (const { schema } of bodiesOf(operation)) {
        for (const { properties } of formsOf(schema)) {
          for (const [name, field] of Object.entries(properties as Json)) {
            expect(field, `${path} ${name}`).to.have.property('description');
          }
        }
      }
    }
  });

  /** The objects that a body can be; /mcp also takes a list of one. */
  const formsOf = (schema: unknown): Json[] => {
    const whole = resolved(document, schema as { $ref: string }) as Json;
    if (whole.anyOf === undefined) return [whole];
    return (whole.anyOf as Json[])
      .map((form) => resolved(document, form as { $ref: string }) as Json)
      .filter(({ type }) => type === 'object');
  };

  it('gives every body and answer a schema and an example that fits', () => {
    const description = new Description(document);
    for (const { method, path, operation } of operations) {
      expect(bodiesOf(operation), path).to.have.length(
        method === 'post' ? 1 : 0,
      );
      for (const [status, response] of Object.entries(operation.responses)) {
        const { content, headers } = resolved(document, response);
        if (['204', '304', 'default'].includes(status)) continue;
        if (path === '/mcp' && status === '202') continue; // says nothing
        const at = `${method} ${path} ${status}`;
        const media = Object.entries(content ?? {});
        expect(media, at).not.to.deep.equal([]);
        for (const [type, { schema, example, examples }] of media) {
          expect(schema, at).to.be.an('object');
          const given = Object.values(examples ?? { one: { value: example } });
          for (const { value } of given) {
            const answer = answerOf(headers, type, value);
            const to = { method, path: path.replace(/\{\w+\}/g, '1') };
            const it = { ...to, status: Number(status), ...answer };
            expect(description.problems(it), at).to.deep.equal([]);
          }
        }
      }
    }
  });

  /** An example as if it had been sent, with every header described. */
  const answerOf = (
    described: Json | undefined,
    type: string,
    example: unknown,
  ) => {
    const headers = Object.fromEntries(
      Object.keys(described ?? {}).map((name) => [name.toLowerCase(), '1']),
    );
    const text =
      typeof example === 'string' ? example : JSON.stringify(example);
    const [, seconds] = /"retry_after_seconds":(\d+)/.exec(text) ?? [];
    const wait = seconds === undefined ? {} : { 'retry-after': seconds };
    return { text, headers: { ...headers, 'content-type': type, ...wait } };
  };

  it('lists every error of an operation with its codes', () => {
    for (const { method, path, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      const needed = ['400', '408', '431', '500'];
      if (method === 'post') needed.push('403', '413', '415', '503');
      if (operation['x-limits'].length > 0) needed.push('429');
      if (path.includes('{')) needed.push('404');
      expect(statuses, path).to.include.members(needed);
      for (const status of statuses.filter((one) => Number(one) >= 400)) {
        const codes = codesOf(operation.responses[status] ?? {});
        if (path === '/readyz' && status === '503') continue;
        if (path === '/mcp' && status === '404') continue; // JSON-RPC alone
        expect(codes, `${path} ${status}`).not.to.deep.equal([]);
        if (method === 'post' && status === '503') {
          const open =
            /^\/(?:api\/(?:mesh\/(?:hint|cosign)|proofs\/verdict)|mcp)$/.test(
              path,
            );
          expect(codes.includes('log_guard'), path).to.equal(!open);
        }
        expect(ERROR_CODES).to.include.members(codes);
      }
    }
  });

  const codesOf = (response: object): string[] => {
    const { content, description } = resolved(
      document,
      response as Parameters<typeof resolved>[1] & {
        content?: Json;
        description?: string;
      },
    );
    const json = (content?.['application/json'] ?? {}) as { schema?: Json };
    // Of /mcp they are the data of its errors, as the words before them say.
    if (json.schema?.$ref === '#/components/schemas/McpRefusal') {
      return [...String(description).matchAll(/^`(\w+)`: /gm)].map(
        ([, code = '']) => code,
      );
    }
    const [error] = (json.schema?.anyOf ?? [json.schema]) as Json[];
    const properties = error?.properties as Json | undefined;
    return ((properties?.error as Json | undefined)?.enum ?? []) as string[];
  };

  it('says where who accepts HTML is refused with a page', async () => {
    const description = new Description(document);
    const paths = ['/openapi/none', '/t/999', '/api/thread/999'];
    const types = [];
    for (const path of paths) {
      const answer = await test.as().get(path).set('Accept', 'text/html');
      const { status, headers, text } = answer;
      const it = { method: 'GET', path, status, headers, text };
      expect(description.problems(it), path).to.deep.equal([]);
      types.push(headers['content-type']);
    }
    const [page, json] = [HTML_TYPE, JSON_TYPE];
    expect(types).to.deep.equal([page, page, json]);
    const forms = (path: string) =>
      Object.keys(refusalOf(document, path).content ?? {});
    const client = '/client/reserve-board.mjs';
    for (const path of [client, '/all.txt', '/healthz', '/readyz']) {
      expect(forms(path), path).to.include('text/html');
    }
  });

  it('closes the list of error codes', () => {
    const error = document.components.schemas.Error as {
      properties: { error: Json; scope: Json };
    };
    expect(error.properties.error.enum).to.deep.equal(ERROR_CODES);
    expect(error.properties.scope.enum).to.have.members([
      ...Object.keys(LIMIT_DEFAULTS),
    ]);
  });

  it('names the limits in force in the schemas', () => {
    const threads = document.paths['/api/threads']?.get;
    const limit = threads?.parameters.find(({ name }) => name === 'limit');
    expect(limit?.schema).to.include({ minimum: 1, maximum: 50 });
    const request = document.components.schemas.PreviewRequest as {
      properties: { body: Json };
      additionalProperties: boolean;
      required: string[];
    };
    expect(request.properties.body).to.include({ maxLength: 1234 });
    expect(request.additionalProperties).to.equal(false);
    expect(request.required).to.have.members(['body', 'request_id']);
  });

  it('refuses the GET variant of a preview in so many words', () => {
    const variant = document.paths['/write/preview']?.get;
    const statuses = Object.keys(variant?.responses ?? {});
    expect(statuses).to.include('405');
    expect(statuses.filter((status) => status < '400')).to.deep.equal([]);
    const names = variant?.parameters.map(({ name }) => name);
    expect(names).to.include.members(['body', 'request_id', 'reply_to']);
  });

  it('leaves answers open to growth, and requests not', () => {
    const { schemas } = document.components;
    expect(schemas.Message).not.to.have.property('additionalProperties');
    const requests = operations.flatMap((it) => bodiesOf(it.operation));
    for (const { schema } of requests) {
      for (const whole of formsOf(schema)) {
        expect(whole.additionalProperties).to.equal(false);
      }
    }
  });
});
