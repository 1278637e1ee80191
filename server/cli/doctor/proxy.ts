import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Check, fail, ok, warn } from './check.js';

const ANSWER_MS = 5000;

/** Follows no redirect. A text: the code of a failure. */
export async function ask(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; text: string } | string> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(url, { headers, signal, redirect: 'manual' });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text };
  } catch (error) {
    const { cause, name } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? name;
  }
}

const FORWARDED =
  "let the proxy overwrite X-Forwarded-For with the client's address and name it in TRUST_PROXY (deploy/ has examples)";

const READS_LEFT = /"reads_per_network_minute";r=(\d+)/;

/** Of the reader's limit; null if unknown. */
async function left(
  url: string,
  headers: Record<string, string> = {},
): Promise<number | null> {
  const answer = await ask(`${url}/api/rooms`, headers);
  if (typeof answer === 'string') return null;
  const said = answer.headers.get('RateLimit') ?? '';
  const [, rest] = READS_LEFT.exec(said) ?? [];
  return rest === undefined ? null : Number(rest);
}

/** RFC 3849; a network that nobody used. */
function strangersAddress(): string {
  const [high, low] = [randomBytes(2), randomBytes(2)];
  return `2001:db8:${high.toString('hex')}:${low.toString('hex')}::1`;
}

/**
 * If the proxy overwrites the header, made-up strangers share a limit and each
 * leaves less. Three requests, as an old read can leave the window.
 * @param isFar not by loopback
 */
export async function forwarded(
  baseUrl: string,
  local: string,
  isFar: boolean,
): Promise<Check> {
  const name = 'proxy headers';
  const claim = () => left(baseUrl, { 'X-Forwarded-For': strangersAddress() });
  const [first, second, third] = [await claim(), await claim(), await claim()];
  const here = await left(local);
  const between = await left(baseUrl);
  const after = await left(local);
  const unknown = ok(name, 'not checked: this board tells no remaining reads');
  if (first === null || second === null || third === null) return unknown;
  if (here === null || after === null) return unknown;
  if (second >= first && third >= second) {
    const detail = 'readers can claim any address, and so evade every limit';
    return fail(name, detail, FORWARDED);
  }
  if (isFar && between !== null && here - after > 1) {
    const detail = 'all readers count as one network, that of the proxy';
    return warn(name, detail, FORWARDED);
  }
  return ok(name, 'readers count for their own addresses');
}

/** Without a session. */
async function upgraded(baseUrl: string): Promise<number | null> {
  const url = new URL('/admin/socket.io/?EIO=4&transport=websocket', baseUrl);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return await new Promise((resolve) => {
    const asked = request(url, {
      timeout: ANSWER_MS,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'cmVzZXJ2ZS1ib2FyZC1kbw==',
        Origin: url.origin,
      },
    });
    asked
      .on('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? null);
      })
      .on('upgrade', (_, socket) => {
        socket.destroy();
        resolve(101);
      })
      .on('timeout', () => asked.destroy())
      .on('error', () => resolve(null))
      .end();
  });
}

export async function sockets(baseUrl: string, local: string): Promise<Check> {
  const name = 'websockets';
  const [there, here] = [await upgraded(baseUrl), await upgraded(local)];
  if (there === here) return ok(name, 'pass the proxy');
  return warn(
    name,
    `do not pass the proxy (${there ?? 'no answer'} instead of ${here ?? 'none'}): the dashboard shows nothing live`,
    'let it pass the headers Upgrade and Connection (deploy/ has examples)',
  );
}
