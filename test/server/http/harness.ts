import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import express, { type Express } from 'express';
import { crossSite, jsonBody } from '../../../server/http/body/json-body.js';
import { createHttpServer } from '../../../server/http/edge/server.js';
import type { ServerOptions } from '../../../server/http/edge/timeouts.js';
import { BASE_URL_SETTING } from '../../../server/http/post-action.js';
import { route } from '../../../server/http/route.js';
import {
  htmlHeaders,
  jsonHeaders,
  sendJson,
  sendText,
} from '../../../server/http/send.js';
import {
  type ErrorRecord,
  errorHandler,
  notFound,
} from '../../../server/site/error-handler.js';
import { given } from '../../support/hooks.js';
import { type Serving, serving } from '../../support/serving.js';

export const BASE = 'https://board.test';

export type Edge = Serving & {
  app: Express;
  server: Server;
  logged: ErrorRecord[];
};

/** A small board's edge: one read, one write, one page, one route that fails. */
export async function startEdge(
  options: ServerOptions & { fail?: () => unknown } = {},
): Promise<Edge> {
  const { fail = () => undefined, ...timings } = options;
  const logged: ErrorRecord[] = [];
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', false);
  app.set(BASE_URL_SETTING, BASE);
  app.use(jsonHeaders(), crossSite(BASE));
  route(app, '/api/list', {
    get: (req, res) =>
      sendJson(req, res, { data: [1, 2] }, { cache: 'revalidate' }),
  });
  route(app, '/api/messages/:id', {
    get: (req, res) =>
      sendJson(req, res, { id: req.params.id }, { cache: 'no-store' }),
  });
  route(app, '/write/echo', {
    post: [
      jsonBody(),
      (req, res) => {
        const keys = Object.keys(Object(req.body));
        sendJson(req, res, { keys }, { cache: 'no-store' });
      },
    ],
  });
  route(app, '/api/fail', {
    get: async () => {
      throw fail();
    },
  });
  route(app, '/api/fail-late', {
    get: (_req, res) => {
      res.write('half');
      throw new TypeError('late');
    },
  });
  route(app, '/page', {
    get: [
      htmlHeaders(),
      (req, res) =>
        sendText(req, res, '<!doctype html>', {
          cache: 'revalidate',
          type: 'text/html; charset=utf-8',
        }),
    ],
  });
  app.use(notFound());
  app.use(errorHandler((record) => logged.push(record)));
  const server = createHttpServer(app, timings);
  return { app, server, logged, ...(await serving(server)) };
}

export type RawAnswer = {
  text: string;
  /** Of the first answer in `text`, informational ones aside. */
  status: number;
  head: string;
  body: Record<string, unknown>;
  ms: number;
  sent: number;
};

function parse(text: string): Omit<RawAnswer, 'ms' | 'sent' | 'text'> {
  const final = text.replace(
    /^(?:HTTP\/1\.1 1\d\d[^\r]*\r\n(?:.+\r\n)*\r\n)+/,
    '',
  );
  const [head = '', payload = ''] = final.split('\r\n\r\n', 2);
  const status = Number(head.split(' ', 2)[1] ?? 0);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const first = payload.slice(0, length);
  const body = first.startsWith('{') ? JSON.parse(first) : {};
  return { status, head: head.toLowerCase(), body };
}

export function rawExchange(
  port: number,
  feed: string | Uint8Array | ((socket: Socket) => void),
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const started = performance.now();
    const chunks: Buffer[] = [];
    const host = '127.0.0.1';
    const socket = connect({ port, host, allowHalfOpen: true });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined); // resets are part of the subject
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const ms = performance.now() - started;
      resolve({ text, ...parse(text), ms, sent: socket.bytesWritten });
    });
    socket.on('connect', () => {
      if (typeof feed === 'function') feed(socket);
      else socket.write(feed);
    });
  });
}

/** A raw POST to the echo route; `headers` without the final blank line. */
export function rawPost(headers: readonly string[], body = ''): string {
  const lines = [
    'POST /write/echo HTTP/1.1',
    'Host: board.test',
    'Content-Type: application/json',
    'Connection: close',
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

export function pour(start: string): (socket: Socket) => void {
  const chunk = Buffer.from(`10000\r\n${'a'.repeat(65_536)}\r\n`);
  return (socket) => {
    const pump = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.write(start);
    socket.on('drain', pump);
    pump();
  };
}

export type Client = { socket: Socket; got: string };

/** For a suite; returns what opens a connection and keeps what comes. */
export function forSuite(server: Server): (text?: string) => Promise<Client> {
  const served = given(() => serving(server));
  return async (text = '') => {
    const socket = connect(served.port, '127.0.0.1');
    const client = { socket, got: '' };
    socket.on('error', () => {}).setEncoding('latin1');
    socket.on('data', (part) => {
      client.got += part;
    });
    await once(socket, 'connect');
    if (text !== '') socket.write(text);
    return client;
  };
}

export function rawGet(path: string, ...headers: string[]): string {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: a', ...headers];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
