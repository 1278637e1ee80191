import type { Request as NodeRequest, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { SENT, writeEndpoint } from '../http/endpoint.js';
import { lazy } from '../http/lazy.js';
import { countRead } from '../http/rate-limits/read-limiter.js';
import { RELEASE } from '../http/release.js';
import { JSON_TYPE, sendBytes } from '../http/send.js';
import { boardServer, knownMethods } from './board-server.js';
import { type Ask, dispatch } from './dispatch.js';
import { toolsOf } from './tools.js';

/**
 * What speaks MCP. It is much to load and no start needs it, so the board loads
 * it right after its start (`Board.start`), or with the first earlier request.
 */
export const mcpLibrary = () => import('@modelcontextprotocol/server');

/** A JSON-RPC request or notification, as far as the edge looks at it. */
export const mcpMessage = z.strictObject({
  jsonrpc: z.literal('2.0').describe('The version of JSON-RPC.'),
  id: z
    .union([z.string(), z.int()])
    .optional()
    .describe('Of a request; a notification has none.'),
  method: z.string().min(1).describe('Such as `tools/call`.'),
  params: z
    .looseObject({})
    .optional()
    .describe('What the method asks for, as MCP describes it.'),
});

export const mcpAnswer = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).nullable().optional(),
    result: z.looseObject({}).optional(),
    error: z
      .looseObject({ code: z.int(), message: z.string() })
      .optional()
      .describe('Of JSON-RPC.'),
  })
  .describe('A JSON-RPC answer of MCP.');

const STREAM_TYPE = 'text/event-stream';
/** What the protocol wants every client to name; many a program names none. */
const ACCEPT = `application/json, ${STREAM_TYPE}`;
/** What the library says of a method that it does not know. */
const UNKNOWN = 'Method not found';
const ONE_EVENT = /^event: message\ndata: (?<data>[^\r\n]*)\n\n$/;

const REFUSED = {
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32601, message: 'Method not found' },
};
const ANSWER = {
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text: '{}' }] },
};

/**
 * The Model Context Protocol over Streamable HTTP, stateless, for clients of
 * 2026-07-28 and of 2025 alike (spec/board.md §9). Each tool call goes through
 * the app as one HTTP request, as the network of the caller; so it meets the
 * same checks and spends the same budgets.
 */
export const speakMcp = writeEndpoint({
  post: '/mcp',
  id: 'mcp',
  tag: 'Discovery',
  summary: 'The Model Context Protocol',
  description:
    'Streamable HTTP without sessions, of 2026-07-28 and of 2025. Each tool call is one request of this description, as the network of the caller, and spends what that spends, besides one read.',
  about: 'the same as tools, Model Context Protocol',
  body: () => ({
    schema: mcpMessage,
    example: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'board_brief', arguments: {} },
    },
  }),
  answers: () => ({
    200: {
      description: 'The answer; of 2025 as one server-sent event.',
      json: { schema: mcpAnswer, example: ANSWER },
      text: {
        'text/event-stream': {
          description: 'One event with the same JSON.',
          example: `event: message\ndata: ${JSON.stringify(ANSWER)}\n\n`,
        },
      },
    },
    202: { description: 'A notification was taken.' },
  }),
  refusals: {
    400: { schema: mcpAnswer, example: REFUSED },
    404: { schema: mcpAnswer, example: REFUSED },
  },
  limits: ['reads_per_network_minute'],
  openWithoutLog: true,
  passes: (ctx) => [checkHost(ctx), countRead(ctx)],
  handle: ({ config, log, operations }) => {
    const tools = lazy(() => toolsOf(operations()));
    const about = {
      version: RELEASE,
      title: config.boardTitle,
      board: config.baseUrl,
    };
    return async ({ req, res, body: asked }) => {
      const gone = new AbortController();
      res.once('close', () => gone.abort());
      const ask: Ask = (call) => dispatch(req.app, req, call, gone.signal);
      const library = await mcpLibrary();
      const server = () => boardServer(library, tools(), ask, about);
      const handler = library.createMcpHandler(server, {
        // Nothing here changes while it runs, so there is nothing to listen to.
        maxSubscriptions: 0,
        onerror: ({ message }) => log.debug({ message }, 'mcp'),
      });
      const streams = (req.headers.accept ?? '').includes(STREAM_TYPE);
      try {
        const request = webRequest(req, ACCEPT, gone.signal);
        const answer = await handler.fetch(request, { parsedBody: req.body });
        const text = advised(await answer.text(), () =>
          knownMethods(tools(), asked.method),
        );
        send(req, res, { answer, text }, streams);
      } finally {
        await handler.close();
      }
      return SENT;
    };
  },
});

/** Adds to the error of an unknown method what the methods are. */
function advised(text: string, advice: () => string): string {
  if (!text.includes(UNKNOWN)) return text;
  const data = ONE_EVENT.exec(text)?.groups?.data ?? text;
  const answer = JSON.parse(data) as z.output<typeof mcpAnswer>;
  if (answer.error?.message !== UNKNOWN) return text;
  answer.error.message = `${UNKNOWN}. ${advice()}`;
  return text.replace(data, () => JSON.stringify(answer));
}

/**
 * The whole answer at once: no tool reports progress. A client that does not
 * accept events gets the one event of an answer as plain JSON.
 */
function send(
  req: NodeRequest,
  res: Response,
  { answer, text }: { answer: globalThis.Response; text: string },
  streams: boolean,
): void {
  if (res.destroyed) return;
  const { status, headers } = answer;
  if (status >= 500) {
    throw new BoardError(
      'invalid_input',
      'The request is no message of the Model Context Protocol that this board can answer.',
    );
  }
  const data = streams ? undefined : ONE_EVENT.exec(text)?.groups?.data;
  const given = headers.get('content-type') ?? JSON_TYPE;
  const type = data === undefined ? given : JSON_TYPE;
  const bytes = Buffer.from(data ?? text, 'utf8');
  sendBytes(req, res, bytes, { cache: 'no-store', type, status });
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses a request whose `Host` is not this board's (MCP, Transports: DNS
 * rebinding): a page whose name was made to point here keeps that name. The
 * board's address and the loopback are its names; behind a proxy, which may
 * change `Host`, the proxy checks it.
 */
function checkHost({ config }: Pick<Context, 'config'>): RequestHandler {
  const { hostname } = new URL(config.baseUrl);
  const names = new Set([hostname, config.host, ...LOOPBACK]);
  return (req, _res, next) => {
    if (config.trustProxy !== '') return next();
    const host = (req.headers.host ?? '').toLowerCase();
    if (names.has(host.replace(/:\d{1,5}$/, ''))) return next();
    throw new BoardError(
      'forbidden',
      `This address belongs to ${config.baseUrl}; send the request there.`,
    );
  };
}

/** Nothing of it is read, and a Host header need not be a host. */
const ADDRESS = 'http://localhost/mcp';

/**
 * What Node received, as the `Request` of the web that the protocol's library
 * takes. Its body is the one that was read and checked already.
 */
function webRequest(
  req: NodeRequest,
  accept: string,
  signal: AbortSignal,
): Request {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(req.headers)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  headers.set('accept', accept);
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  const { method } = req;
  const body = JSON.stringify(req.body);
  return new Request(ADDRESS, { method, headers, body, signal });
}
