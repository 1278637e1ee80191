import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

/** Whether X-Forwarded-For is written anew, or what came is kept before it. */
export type Mode = 'overwrites' | 'appends';
export type ForwardingProxy = {
  name: 'nginx' | 'node';
  port: number;
  stop: () => Promise<void>;
};

const VARIABLE = {
  overwrites: '$remote_addr',
  appends: '$proxy_add_x_forwarded_for',
} as const;

function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A reverse proxy before a board: nginx where it is installed, else ours. */
export async function startProxy(
  upstream: string,
  mode: Mode,
): Promise<ForwardingProxy> {
  return hasNginx() ? nginx(upstream, mode) : ours(upstream, mode);
}

async function nginx(upstream: string, mode: Mode): Promise<ForwardingProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'reserve-nginx-'));
  const port = await freePort();
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const conf = path.join(folder, 'nginx.conf');
  await writeFile(
    conf,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
     events {}
     http {
       access_log off;
       ${places.map((it) => `${it}_temp_path ${folder}/${it};`).join(' ')}
       server {
         listen 127.0.0.1:${port};
         location / {
           proxy_pass ${upstream};
           proxy_http_version 1.1;
           proxy_set_header X-Forwarded-For ${VARIABLE[mode]};
         }
       }
     }`,
  );
  const child: ChildProcess = spawn('nginx', ['-c', conf, '-p', folder], {
    stdio: 'ignore',
  });
  await until('nginx answers', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(
      () => null,
    );
    await answer?.text();
    return answer !== null;
  });
  const stop = async () => {
    const over = once(child, 'exit');
    child.kill('SIGQUIT');
    await over;
    await rm(folder, { recursive: true, force: true });
  };
  return { name: 'nginx', port, stop };
}

/** What nginx does with the headers that matter here, in Node. */
async function ours(upstream: string, mode: Mode): Promise<ForwardingProxy> {
  const server = createServer((req, res) => {
    const client = req.socket.remoteAddress ?? '';
    const given = req.headers['x-forwarded-for'];
    const chain = [given ?? []].flat().join(', ');
    const forwarded =
      mode === 'appends' && chain !== '' ? `${chain}, ${client}` : client;
    const headers = { ...req.headers, 'x-forwarded-for': forwarded };
    const { method = 'GET', url = '/' } = req;
    const asked = request(
      `${upstream}${url}`,
      { method, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    asked.on('error', () => res.destroy());
    req.pipe(asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    const over = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await over;
  };
  return { name: 'node', port: (server.address() as AddressInfo).port, stop };
}
