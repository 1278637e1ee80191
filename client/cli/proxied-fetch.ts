import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import tls from 'node:tls';
import { ClientRefusal } from '../failures.js';
import type { Fetch } from '../transport.js';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: URL) =>
  Number(port) || (protocol === 'https:' ? 443 : 80);

/** Lower case takes precedence, as in other programs. */
function variable(name: string): [name: string, value: string] {
  const lower = name.toLowerCase();
  const used = process.env[lower] ? lower : name;
  return [used, process.env[used]?.trim() ?? ''];
}

function isWithin(host: string, list: BlockList): boolean {
  return isIP(host) !== 0 && list.check(host, family(host));
}

function isLoopback(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host) || isWithin(host, LOOPBACK);
}

/** `*`, hosts with subdomains, addresses and networks; ports are optional. */
function isExcepted(url: URL): boolean {
  const host = hostOf(url);
  return variable('NO_PROXY')[1]
    .toLowerCase()
    .split(/[\s,]+/)
    .some((item) => {
      if (item === '*') return true;
      const [, named = item, port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(item) ?? [];
      if (port !== undefined && Number(port) !== portOf(url)) return false;
      const [name = '', bits] = named.replace(/^\*?\.|[[\]]/g, '').split('/');
      if (isIP(name) !== 0) {
        const most = isIP(name) === 6 ? 128 : 32;
        const net = new BlockList();
        net.addSubnet(
          name,
          Math.min(Number(bits ?? most) || 0, most),
          family(name),
        );
        return isWithin(host, net);
      }
      return name !== '' && (host === name || host.endsWith(`.${name}`));
    });
}

function proxyFor(url: URL): URL | null {
  const scheme = url.protocol === 'https:' ? 'HTTPS' : 'HTTP';
  const [name, value] = variable(`${scheme}_PROXY`);
  if (value === '' || isLoopback(hostOf(url)) || isExcepted(url)) return null;
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new ClientRefusal(
    'bad_proxy',
    `${name} must be an address such as http://proxy.example:3128; other kinds of proxies are not used.`,
  );
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const basic = `Basic ${Buffer.from(text).toString('base64')}`;
  return { 'Proxy-Authorization': basic };
}

function asked(proxy: URL, options: http.RequestOptions): http.ClientRequest {
  const { request } = proxy.protocol === 'https:' ? https : http;
  const place = { host: hostOf(proxy), port: portOf(proxy), agent: false };
  return request({ ...place, ...options });
}

/** Through CONNECT. */
async function tunnel(url: URL, proxy: URL, signal?: AbortSignal) {
  const path = `${url.hostname}:${portOf(url)}`;
  const headers = { Host: path, ...authorization(proxy) };
  const connect = asked(proxy, { method: 'CONNECT', path, headers, signal });
  connect.end();
  const [answer, socket] = (await once(connect, 'connect')) as [
    http.IncomingMessage,
    Socket,
  ];
  if (answer.statusCode === 200) {
    const host = hostOf(url);
    const servername = isIP(host) === 0 ? host : '';
    return tls.connect({ socket, host, servername });
  }
  socket.destroy();
  throw new Error(`the proxy answers ${answer.statusCode}`);
}

async function throughProxy(
  url: URL,
  proxy: URL,
  init: RequestInit,
): Promise<Response> {
  const { method = 'GET', body } = init;
  const signal = init.signal ?? undefined;
  const headers = Object.fromEntries(new Headers(init.headers));
  const isSecure = url.protocol === 'https:';
  const socket = isSecure ? await tunnel(url, proxy, signal) : null;
  const request =
    socket === null
      ? asked(proxy, {
          method,
          path: url.href,
          headers: { Host: url.host, ...headers, ...authorization(proxy) },
          signal,
        })
      : https.request(url, {
          method,
          headers,
          signal,
          createConnection: () => socket,
        });
  request.on('error', () => {}); // of a body that is cut; its reader is told
  request.end(body ?? undefined);
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  const { statusCode: status = 502 } = answer;
  if (init.redirect === 'error' && status >= 300 && status < 400) {
    answer.destroy();
    throw new Error('unexpected redirect');
  }
  const given = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) given.append(name, value);
  }
  const isEmpty = status === 204 || status === 304 || method === 'HEAD';
  const stream = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream);
  return new Response(stream, { status, headers: given });
}

/** Follows HTTP_PROXY, HTTPS_PROXY and NO_PROXY, which Node's own does not. */
export const proxiedFetch: Fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const proxy = proxyFor(url);
  if (proxy === null) return await fetch(input, init);
  try {
    return await throughProxy(url, proxy, init);
  } catch (error) {
    init.signal?.throwIfAborted();
    const { code, message } = error as Error & { code?: string };
    throw new Error(`through the proxy ${proxy.host}: ${code ?? message}`);
  }
};
