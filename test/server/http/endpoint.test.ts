import { EventEmitter, once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import supertest from 'supertest';
import { z } from 'zod';
import { BoardError } from '../../../server/errors.js';
import {
  type Endpoint,
  mount,
  readEndpoint,
  SENT,
  writeEndpoint,
} from '../../../server/http/endpoint.js';
import { pathId } from '../../../server/http/query.js';
import { errorHandler } from '../../../server/site/error-handler.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { forAllTests } from '../../support/hooks.js';

const Thing = z.strictObject({ id: z.number() });
const answers = () => ({
  200: { description: 'A thing.', json: { schema: Thing, example: { id: 1 } } },
  201: {
    description: 'A new thing.',
    json: { schema: Thing, example: { id: 1 } },
  },
});
const TEXTS = {
  id: 'thing',
  tag: 'Reading',
  summary: 'A thing',
  description: 'One thing.',
} as const;
const one = z.enum(['1', '2']).default('1');

const read = (more: object = {}): Endpoint =>
  readEndpoint({
    ...TEXTS,
    get: '/things/:id',
    params: { id: pathId },
    query: () => ({ n: one }),
    answers,
    handle:
      () =>
      ({ params: { id } }) => ({ json: { id } }),
    ...more,
  });

const write = (more: object = {}): Endpoint =>
  writeEndpoint({
    ...TEXTS,
    post: '/things',
    body: () => ({ schema: z.strictObject({ id: z.number() }), example: {} }),
    answers,
    limits: ['writes_per_network_minute'],
    handle:
      () =>
      ({ body }) => ({ json: body, status: 201 }),
    ...more,
  });

describe('a declared endpoint', () => {
  let test: TestBoard;
  forAllTests(startBoard, (made) => {
    test = made;
  });

  function app(...endpoints: Endpoint[]) {
    const made = express().set('query parser', false);
    mount(made, test.board.context, endpoints);
    made.use(errorHandler(() => {}));
    return made;
  }

  const get = (path: string, more: object = {}) =>
    supertest(app(read(more))).get(path);
  const post = (body: object, more: object = {}) =>
    supertest(app(write(more)))
      .post('/things')
      .send(body);

  it('answers what its handler returns, checked and typed', async () => {
    const answer = await get('/things/7');
    expect([answer.status, answer.body]).to.deep.equal([200, { id: 7 }]);
    expect(answer.headers['cache-control']).to.include('must-revalidate');
    expect(answer.headers).to.have.property('etag');
  });

  it('finds fault with a query before it looks for what the path names', async () => {
    const faulty = await get('/things/x?n=3');
    expect([faulty.status, faulty.body.field]).to.deep.equal([400, 'n']);
    const missing = await get('/things/x');
    expect([missing.status, missing.body.error]).to.eql([404, 'not_found']);
  });

  it('refuses a path that names nothing with its own code', async () => {
    const none = () => new BoardError('poll_not_found', 'No such poll.');
    const answer = await get('/things/x', { missing: none });
    expect(answer.body.error).to.equal('poll_not_found');
  });

  it('sends a text with the headers of texts', async () => {
    const handle = () => () => ({ text: 'plain', type: 'text/plain' });
    const answer = await get('/things/7', { handle });
    expect(answer.text).to.equal('plain');
    expect(answer.type).to.equal('text/plain');
  });

  it('adds nothing to an answer that its handler has sent', async () => {
    const handle =
      () =>
      ({ res }: { res: { end(text: string): void } }) => {
        res.end('streamed');
        return SENT;
      };
    expect((await get('/things/7', { handle })).text).to.equal('streamed');
  });

  it('writes nothing to a client that has gone meanwhile', async () => {
    const steps = new EventEmitter();
    const handle =
      () =>
      async ({ res }: { res: Response }) => {
        const gone = once(res, 'close');
        steps.emit('asked', res);
        await gone;
        setImmediate(() => steps.emit('answered'));
        return { json: { id: 1 } };
      };
    const server = app(read({ handle })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [asked, answered] = [once(steps, 'asked'), once(steps, 'answered')];
    const sent = httpRequest({ port, host: '127.0.0.1', path: '/things/7' });
    sent.on('error', () => {}).end();
    const [res] = (await asked) as [Response];
    sent.destroy();
    await answered;
    expect(res.hasHeader('etag')).to.equal(false);
    server.close();
  });

  it('tells of its limits where it took a write, and not where it refused', async () => {
    const taken = await post({ id: 1 }).expect(201);
    expect(taken.headers['ratelimit-policy']).to.include('writes_per_network');
    expect((await post({ id: 'x' })).headers).not.to.have.property('ratelimit');
    const refusal = { handle: () => () => ({ json: { id: 1 }, status: 404 }) };
    const refused = await post({ id: 1 }, refusal);
    expect(refused.headers).not.to.have.property('ratelimit-policy');
  });

  it('does not tell a caller of limits that are another’s', async () => {
    const answer = await post({ id: 1 }, { limitsOfOthers: true }).expect(201);
    expect(answer.headers).not.to.have.property('ratelimit-policy');
  });

  it('takes a body of its own size, else the board’s', async () => {
    const pad = ' '.repeat(100);
    const padded = (more: object) =>
      supertest(app(write(more)))
        .post('/things')
        .type('json')
        .send(`{"id":1}${pad}`);
    expect((await padded({})).status).to.equal(201);
    expect((await padded({ bytes: () => 50 })).status).to.equal(413);
  });

  it('describes the GET that its write refuses where it says so', () => {
    const setting = {
      limits: test.board.context.limits,
      baseUrl: 'http://board.test',
    };
    const methods = (more: object) =>
      write(more)
        .operations(setting)
        .map(({ method, path }) => `${method} ${path}`);
    expect(methods({})).to.deep.equal(['post /things']);
    expect(methods({ describesGet: true })).to.deep.equal([
      ...['post /things', 'get /things'],
    ]);
    const [operation] = read().operations(setting);
    expect(operation?.path).to.equal('/things/{id}');
  });
});
