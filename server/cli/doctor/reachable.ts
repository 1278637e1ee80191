import { lookup } from 'node:dns/promises';
import { connect } from 'node:tls';
import type { Config } from '../../config.js';
import { timeOf } from './age.js';
import { ANSWER_MS, ask } from './ask.js';
import { type Check, fail, ok, warn } from './check.js';
import { forwarded, sockets } from './proxy.js';

const CERTIFICATE_MS = 14 * 86_400_000;
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
 * As readers reach it: identity, TLS, and the proxy's handling of addresses and
 * sockets.
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
  return [
    ok(name, `${baseUrl} is this board`),
    url.protocol === 'https:' ? await certificate(url) : noTls(url),
    await forwarded(baseUrl, local, !(await isHere(url))),
    await sockets(baseUrl, local),
  ];
}

async function isHere({ hostname }: URL): Promise<boolean> {
  const found = await lookup(hostname).catch(() => null);
  return /^(?:127\.|::1$)/.test(found?.address ?? '');
}

function noTls(url: URL): Check {
  if (isLoopback(url)) return ok('TLS', 'not needed on this machine');
  return warn(
    'TLS',
    'tickets and sign-ins pass in the clear',
    'put a TLS proxy in front (deploy/ has examples) and set BASE_URL=https://…',
  );
}

/** Valid, since a request was answered. */
async function certificate({ hostname, port }: URL): Promise<Check> {
  const name = 'TLS';
  const until = await new Promise<string | null>((resolve) => {
    const at = { host: hostname, port: Number(port || 443) };
    const socket = connect({ ...at, servername: hostname }, () => {
      resolve(socket.getPeerCertificate().valid_to ?? null);
      socket.destroy();
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('error', () => resolve(null)).on('close', () => resolve(null));
  });
  const left = until === null ? Number.NaN : Date.parse(until) - Date.now();
  if (Number.isNaN(left)) return ok(name, 'valid');
  const detail = `the certificate ends in ${timeOf(Math.max(0, left))}`;
  if (left > CERTIFICATE_MS) return ok(name, detail);
  return warn(name, detail, 'renew it, and look why that did not happen');
}
