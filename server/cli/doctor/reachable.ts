import { lookup } from 'node:dns/promises';
import type { Config } from '../../config.js';
import { type Check, fail, ok, warn } from './check.js';
import { ask, forwarded, sockets } from './proxy.js';

/** On this machine. */
export async function nodeAnswers(local: string): Promise<Check> {
  const name = 'running node';
  const answer = await ask(`${local}/readyz`);
  if (typeof answer !== 'string' && answer.status === 200) {
    return ok(name, `${local} is ready`);
  }
  if (typeof answer !== 'string' && answer.status === 503) {
    const fix = 'do what the other lines say; its log names the reason';
    return fail(name, `${local} is not ready`, fix);
  }
  const detail = `one uses this database, and none answers at ${local}`;
  return warn(name, detail, 'set HOST and PORT to those of the node');
}

function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+)$/.test(hostname);
}

/**
 * As readers reach it: identity and the proxy's handling of addresses and sockets.
 * @param checkpoint the own log's first line: its origin
 */
export async function publicAddress(
  { baseUrl, trustProxy }: Config,
  local: string,
  origin: string,
): Promise<Check[]> {
  const name = 'public address';
  const url = new URL(baseUrl);
  if (isLoopback(url) && trustProxy === '') return [];
  const answer = await ask(`${baseUrl}/log/checkpoint`);
  if (typeof answer === 'string') {
    const detail = `${baseUrl} does not answer from here (${answer})`;
    const fix =
      'check DNS, firewall, proxy and certificate, or correct BASE_URL';
    return [warn(name, detail, fix)];
  }
  if (answer.status !== 200 || answer.text.split('\n')[0] !== origin) {
    const detail = `${baseUrl} answers ${answer.status}, but not as ${origin}`;
    const fix =
      'let the proxy pass every path to this node, or correct BASE_URL';
    return [fail(name, detail, fix)];
  }
  const at = await lookup(url.hostname).catch(() => null);
  const isHere = /^(?:127\.|::1$)/.test(at?.address ?? '');
  return [
    ok(name, `${baseUrl} is this board`),
    ...(url.protocol === 'https:' || isLoopback(url) ? [] : [NO_TLS]),
    await forwarded(baseUrl, local, !isHere),
    await sockets(baseUrl, local),
  ];
}

const NO_TLS = warn(
  'TLS',
  'tickets and sign-ins pass in the clear',
  'put a TLS proxy in front (deploy/ has examples) and set BASE_URL=https://…',
);
