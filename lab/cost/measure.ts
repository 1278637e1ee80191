import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { TestBoard } from '../../test/support/board.js';
import { cpuMsOf } from '../bench/set-up/database-processes.js';

/** A request, as its bytes: also what no client would send. */
export type Asked = {
  method: string;
  path: string;
  what: string;
  body?: string;
  headers?: Readonly<Record<string, string>>;
};

export type Cost = Asked & {
  status: number;
  bytes: number;
  /** Processor time of the node, client included, for one of them. */
  ms: number;
  /** Of the database; 0 where it is not measured. */
  databaseMs: number;
  reads: number;
};

const READS = /"reads_per_network_minute";r=(\d+)/;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

type Answer = { status: number; bytes: number; left: number | null };

function send(url: string, asked: Asked, from: string): Promise<Answer> {
  const { method, path, body, headers = {} } = asked;
  return new Promise((resolve, reject) => {
    const req = request(
      `${url}${path}`,
      {
        agent,
        method,
        headers: {
          'X-Forwarded-For': from,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
      },
      (res) => {
        let bytes = 0;
        res.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        res.on('end', () => {
          const left = READS.exec(String(res.headers.ratelimit ?? ''))?.[1];
          const status = res.statusCode ?? 0;
          resolve({ status, bytes, left: left ? Number(left) : null });
        });
        res.on('error', reject);
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}

let networks = 0;
let addresses = 0;

/** The same at an address of its own, which no cache has. */
function fresh(asked: Asked): Asked {
  if (asked.method !== 'GET') return asked;
  addresses += 1;
  const mark = asked.path.includes('?') ? '&' : '?';
  return { ...asked, path: `${asked.path}${mark}n${addresses}=1` };
}

/** Processor time of one request, of the batch that took least. */
export async function measure(
  { url, board }: TestBoard,
  asked: Asked,
  { runs, batches }: { runs: number; batches: number },
): Promise<Cost> {
  networks += 1;
  const from = `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`;
  const first = await send(url, fresh(asked), from);
  const { left: before } = await send(url, fresh(asked), from);
  const isRead = first.left !== null && before !== null;
  const reads = isRead ? (first.left ?? 0) - (before ?? 0) : 0;
  const backends = await board.context.reads.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database()',
  );
  const pids = backends.map(({ pid }) => pid);
  const used = await cpuMsOf(pids);
  let ms = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < batches; batch += 1) {
    const began = process.cpuUsage();
    for (let run = 0; run < runs; run += 1) await send(url, fresh(asked), from);
    const { user, system } = process.cpuUsage(began);
    ms = Math.min(ms, (user + system) / 1000 / runs);
  }
  const spent = Math.max(0, (await cpuMsOf(pids)) - used);
  const databaseMs = spent / (runs * batches);
  const { status, bytes } = first;
  return { ...asked, status, bytes, ms, databaseMs, reads };
}

/** Of `paceWork` on the machine of docs/performance.md. */
const KNOWN_MS = 3.6;
const PACE_BATCHES = 30;

/** What answers are made of, and none of the board's own code. */
function paceWork(): void {
  const items = Array.from({ length: 2000 }, (_, id) => ({
    id,
    text: `Text ${id * 7919} <b> & "so on"`,
  }));
  const text = JSON.stringify(JSON.parse(JSON.stringify(items)));
  gzipSync(text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`));
}

/** How much slower than that machine this one is just now; at least 1. */
export function paceOfMachine(): number {
  let ms = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < PACE_BATCHES; batch += 1) {
    const began = process.cpuUsage();
    paceWork();
    const { user, system } = process.cpuUsage(began);
    ms = Math.min(ms, (user + system) / 1000);
  }
  return Math.max(1, ms / KNOWN_MS);
}
