import type { Request as NodeRequest, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { onOneLine } from '../../protocol/json.js';
import type { Context } from '../context.js';
import { BoardError, invalid } from '../errors.js';
import { parseBody } from '../http/body/validate.js';
import { SENT, writeEndpoint } from '../http/endpoint.js';
import { lazy } from '../http/lazy.js';
import { errorBody } from '../http/openapi/error.js';
import type { Operation } from '../http/openapi/operation.js';
import { countRead } from '../http/rate-limits/read-limiter.js';
import { RELEASE } from '../http/release.js';
import { JSON_TYPE, sendBytes } from '../http/send.js';
import { boardServer, knownMethods } from './board-server.js';
import { type Ask, dispatch } from './dispatch.js';
import { readCall } from './next-call.js';
import { toolsOf } from './tools.js';

/** Heavy: loaded after the start (`Board.start`) or by a request. */
export const mcpLibrary = () => import('@modelcontextprotocol/server');

const mcpId = z.union([z.string(), z.int()]);

/** JSON-RPC, as far as the edge looks at it. */
export const mcpMessage = z.strictObject({
  jsonrpc: z.literal('2.0').describe('The version of JSON-RPC.'),
  id: mcpId.optional().describe('Of a request; a notification has none.'),
  method: z.string().min(1).describe('Such as `tools/call`.'),
  params: z
    .looseObject({})
    .nullish()
    .describe('What the method asks for, as MCP describes it.'),
});
type McpMessage = z.output<typeof mcpMessage>;

const BATCH_MAX = 16;
export const mcpBody = z.union([
  mcpMessage,
  z
    .array(z.unknown())
    .min(1)
    .max(BATCH_MAX)
    .describe('A batch of 2025-03-26; each message is one read.'),
]);
/** Revisions with batches; clients without a header use one of them. */
const WITH_BATCHES = [undefined, '2024-11-05', '2025-03-26'];

export const mcpAnswer = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: mcpId.nullable().optional(),
    result: z.looseObject({}).optional(),
    error: z
      .looseObject({ code: z.int(), message: z.string() })
      .optional()
      .describe('Of JSON-RPC.'),
  })
  .describe('A JSON-RPC answer of MCP.');
/** Invalid HTTP is refused before its path is known. */
export const mcpRefused = z
  .union([mcpAnswer, errorBody])
  .describe('An error of JSON-RPC; a plain one where the request is no HTTP.');
export const mcpAnswers = z.union([mcpAnswer, z.array(mcpAnswer)]);

const STREAM_TYPE = 'text/event-stream';
/** Required by the protocol, and often missing. */
const ACCEPT = `application/json, ${STREAM_TYPE}`;
const UNKNOWN = 'Method not found';
/** How it begins what it says of `params`, as JSON in a message. */
const ISSUES = '[\n';
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

export type McpContext = Context & { operations: () => readonly Operation[] };

/** Stateless, each call one HTTP request as the caller (spec/board.md §9). */
export const speakMcp = writeEndpoint({
  post: '/mcp',
  id: 'mcp',
  tag: 'Discovery',
  summary: 'The Model Context Protocol',
  description:
    'Streamable HTTP without sessions, of 2026-07-28 and of 2025, with the batches of 2025-03-26. Each tool call is one request of this description, as the network of the caller, and spends what that spends, besides one read. A refusal is an error of JSON-RPC, whose `data` is the error that other requests have.',
  about: 'the same as tools, Model Context Protocol',
  body: () => ({
    schema: mcpBody,
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
      json: { schema: mcpAnswers, example: ANSWER },
      text: {
        'text/event-stream': {
          description: 'One event with the same JSON.',
          example: `event: message\ndata: ${JSON.stringify(ANSWER)}\n\n`,
        },
      },
    },
    202: { description: 'A notification was taken.' },
  }),
  refusals: { schema: mcpRefused, example: REFUSED, also: [404] },
  limits: ['reads_per_network_minute'],
  openWithoutLog: true,
  passes: (ctx) => [checkHost(ctx)],
  handle: (ctx: McpContext) => {
    const { config, log, operations } = ctx;
    // Once the body is read, so that a refusal has the `id` of its request.
    const count = countRead(ctx);
    const tools = lazy(() => toolsOf(operations()));
    const about = {
      version: RELEASE,
      title: config.boardTitle,
      board: config.baseUrl,
    };
    return async ({ req, res, body, take }) => {
      count(req, res, () => {});
      const gone = new AbortController();
      res.once('close', () => gone.abort());
      const callOf = (url: string) => readCall(tools(), url);
      const ask: Ask = (call) =>
        dispatch(req.app, req, call, gone.signal, callOf);
      const library = await mcpLibrary();
      const server = () => boardServer(library, tools(), ask, about);
      const handler = library.createMcpHandler(server, {
        // Tools never change, so there is nothing to subscribe to.
        maxSubscriptions: 0,
        onerror: ({ message }) => log.debug({ message }, 'mcp'),
      });
      const answerTo = async (asked: McpMessage): Promise<Answered> => {
        const parsedBody = withoutNulls(asked);
        const request = webRequest(req, parsedBody, gone.signal);
        const answer = await handler.fetch(request, { parsedBody });
        const text = advised(await answer.text(), () =>
          knownMethods(tools(), asked.method),
        );
        if (answer.status >= 500) {
          throw new BoardError(
            'invalid_input',
            'The request is no message of the Model Context Protocol that this board can answer.',
          );
        }
        return { answer, text };
      };
      const streams = (req.headers.accept ?? '').includes(STREAM_TYPE);
      try {
        if (Array.isArray(body)) {
          checkBatches(req);
          const answers: unknown[] = [];
          for (const [at, one] of body.entries()) {
            answers.push(
              ...(await inBatch(one, async () => {
                if (at > 0) take('reads_per_network_minute');
                const { text } = await answerTo(parseBody(mcpMessage, one));
                return text === '' ? [] : [JSON.parse(dataOf(text) ?? text)];
              })),
            );
          }
          sendBatch(req, res, answers, streams);
        } else send(req, res, await answerTo(body), streams);
      } finally {
        await handler.close();
      }
      return SENT;
    };
  },
});

type Answered = { answer: globalThis.Response; text: string };

/** Sent by some clients instead of nothing; PHP writes `[]`. */
const isNothing = (args: unknown) =>
  args === null || args === '' || (Array.isArray(args) && args.length === 0);

function withoutNulls({ params, ...message }: McpMessage): McpMessage {
  if (params === null || params === undefined) return message;
  const given = Object.entries(params).filter(([, value]) => value !== null);
  const { arguments: args, ...rest } = Object.fromEntries(given);
  if (args === undefined || isNothing(args))
    return { ...message, params: rest };
  if (typeof args !== 'object' || Array.isArray(args)) {
    throw invalid(
      'params.arguments',
      'The `arguments` of a tool must be a JSON object of their names and values, neither text nor a list.',
    );
  }
  return { ...message, params: { ...rest, arguments: args } };
}

function checkBatches(req: NodeRequest): void {
  const version = req.headers['mcp-protocol-version'];
  if (WITH_BATCHES.includes(version as string | undefined)) return;
  throw new BoardError(
    'invalid_input',
    `MCP ${version} has no batches; send each message by itself.`,
  );
}

/** A refusal is an answer, too. */
async function inBatch(
  message: unknown,
  answer: () => Promise<unknown[]>,
): Promise<unknown[]> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    // JSON-RPC answers no notification.
    const isNotified = mcpMessage.omit({ id: true }).safeParse(message).success;
    return isNotified ? [] : [mcpRefusal(error, message)];
  }
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** spec/board.md §9 */
export function mcpRefusal(error: BoardError, message: unknown): object {
  const { code, detail, status } = error;
  const id = mcpId.safeParse(Object(message).id);
  const isUnread = code === 'invalid_json' || code === 'invalid_unicode';
  return {
    jsonrpc: '2.0',
    id: id.success ? id.data : null,
    error: {
      code: isUnread
        ? PARSE_ERROR
        : status < 500
          ? INVALID_REQUEST
          : INTERNAL_ERROR,
      message: detail,
      data: error.body(),
    },
  };
}

/** The library answers with one event. */
function dataOf(text: string): string | undefined {
  return ONE_EVENT.exec(text)?.groups?.data;
}

/** Says in words what the library leaves open: the methods, the issues of `params`. */
function advised(text: string, advice: () => string): string {
  if (!text.includes('"error":')) return text;
  const data = dataOf(text) ?? text;
  const answer = JSON.parse(data) as z.output<typeof mcpAnswer>;
  const message = answer.error?.message ?? '';
  const wrong = wrongParams(message);
  if (message === UNKNOWN) {
    answer.error = { code: -32_601, message: `${UNKNOWN}. ${advice()}` };
  } else if (wrong !== '') {
    answer.error = { code: INVALID_PARAMS, message: wrong };
  } else return text;
  return text.replace(data, () => JSON.stringify(answer));
}

const INVALID_PARAMS = -32_602;
const issues = z.array(
  z.object({
    path: z.array(z.union([z.string(), z.number()])),
    message: z.string(),
  }),
);

/** The issues that a message lists; empty where it lists none. */
function wrongParams(message: string): string {
  const at = message.indexOf(ISSUES);
  if (at === -1) return '';
  try {
    return issues
      .parse(JSON.parse(message.slice(at)))
      .map((one) => `${one.path.join('.')}: ${one.message}`)
      .join('; ');
  } catch {
    return '';
  }
}

/** In one piece. Clients that do not accept events get plain JSON. */
function send(
  req: NodeRequest,
  res: Response,
  { answer: { status, headers }, text }: Answered,
  streams: boolean,
): void {
  if (res.destroyed) return;
  const data = streams ? undefined : dataOf(text);
  const given = headers.get('content-type') ?? JSON_TYPE;
  const type = data === undefined ? given : JSON_TYPE;
  const bytes = Buffer.from(onOneLine(data ?? text), 'utf8');
  sendBytes(req, res, bytes, { cache: 'no-store', type, status });
}

function sendBatch(
  req: NodeRequest,
  res: Response,
  answers: readonly unknown[],
  streams: boolean,
): void {
  if (res.destroyed) return;
  const json = answers.length === 0 ? '' : onOneLine(JSON.stringify(answers));
  const isEvent = streams && json !== '';
  const text = isEvent ? `event: message\ndata: ${json}\n\n` : json;
  sendBytes(req, res, Buffer.from(text, 'utf8'), {
    cache: 'no-store',
    type: isEvent ? STREAM_TYPE : JSON_TYPE,
    status: json === '' ? 202 : 200,
  });
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses a foreign `Host` (MCP, Transports: DNS rebinding). Allowed are the
 * board's address and loopback; behind a proxy, the proxy checks it.
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

/** A placeholder: Host need not be a valid host. */
const ADDRESS = 'http://localhost/mcp';

/** For the library; the body was parsed and checked before. */
function webRequest(
  req: NodeRequest,
  message: McpMessage,
  signal: AbortSignal,
): Request {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(req.headers)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  headers.set('accept', ACCEPT);
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  const { method } = req;
  const body = JSON.stringify(message);
  return new Request(ADDRESS, { method, headers, body, signal });
}
