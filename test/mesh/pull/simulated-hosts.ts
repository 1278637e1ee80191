import { setImmediate as turn } from 'node:timers/promises';
import type { PullClient, PullSource } from '../../../mesh/pull/hooks.js';
import { mirrorPrefix } from '../../../mesh/pull/store/mirror-log.js';
import { accepted, refused } from '../../../protocol/verdict.js';
import { formatVkey } from '../../../protocol/vkey.js';
import type { Clock } from '../../../server/clock.js';
import { MemoryLog } from '../support/memory-log.js';
import { MemoryStore, memoryWorker } from '../support/memory-store.js';
import { ScriptedLog } from '../support/scripted-log.js';

/** What the client allows a question to a host that says nothing. */
const HEADERS_MS = 33_000;
const BEGUN_MS = Date.UTC(2026, 0, 15);

/** Turns of the event loop in which everything in memory comes to rest. */
const TURNS = 5;

/** Goes from one alarm to the next and never waits. */
class VirtualClock implements Clock {
  private readonly alarms = new Set<{ at: number; wake: () => void }>();
  private ms = BEGUN_MS;

  now(): number {
    return this.ms;
  }

  after(ms: number, wake: () => void): () => void {
    const alarm = { at: this.ms + ms, wake };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  }

  /** To the next alarm, but not beyond `end`; answers whether it is reached. */
  step(end: number): boolean {
    const [next] = [...this.alarms].sort((a, b) => a.at - b.at);
    if (next === undefined || next.at > end) {
      this.ms = end;
      return true;
    }
    this.alarms.delete(next);
    this.ms = Math.max(this.ms, next.at);
    next.wake();
    return false;
  }
}

export type Manner = 'well' | 'refuses' | 'hangs' | 'breaks';

/** A board that has the log up to `size`: all of it, where a test does not say. */
export type Host = {
  url: string;
  manner: Manner;
  /** Before each answer. */
  slowMs: number;
  size: () => number;
  /** When it was asked, in ms since the beginning. */
  asked: number[];
  /** When it last gave a page. */
  heardAt: number;
};

export type Hosts = {
  log: ScriptedLog;
  origin: Host;
  mirrors: Host[];
  listed: PullSource[];
  now(): number;
  mirrored(): number;
  pass(ms: number): Promise<void>;
  hint(): void;
  stop(): Promise<void>;
};

/** One worker, in time that passes at once, and the hosts that it may ask. */
export function simulatedHosts(
  mirrorCount: number,
  random: () => number,
): Hosts {
  const clock = new VirtualClock();
  const log = new ScriptedLog('board-a.example', BEGUN_MS - 1000);
  for (let n = 0; n < 3; n += 1) log.post();
  const hosts = new Map<string, Host>();
  const host = (name: string): Host => {
    const url = `https://${name}.example`;
    const made: Host = {
      url,
      manner: 'well',
      slowMs: 0,
      size: () => log.size,
      asked: [],
      heardAt: -Infinity,
    };
    hosts.set(url, made);
    return made;
  };
  const origin = host('origin');
  const mirrors = Array.from({ length: mirrorCount }, (_, n) =>
    host(`mirror-${n}`),
  );
  const prefix = mirrorPrefix(log.origin);
  const listed = mirrors.map(({ url: baseUrl }) => ({ baseUrl, prefix }));
  const mirror = new MemoryLog(log.origin);
  const logVkey = formatVkey(log.keys.log.vkey);
  const about = { name: log.board, url: origin.url, logVkey };
  const store = new MemoryStore(mirror, about, listed, () => clock.now());
  const stopper = new AbortController();
  const worker = memoryWorker(
    store,
    { client: clientOf(hosts, log, clock), clock, random },
    stopper.signal,
  );
  return {
    log,
    origin,
    mirrors,
    listed,
    now: () => clock.now() - BEGUN_MS,
    mirrored: () => mirror.frontier.size,
    pass: async (ms) => {
      const end = clock.now() + ms;
      do await settle();
      while (!clock.step(end));
      await settle();
    },
    hint: worker.hint,
    stop: async () => {
      stopper.abort();
      await worker.ended;
    },
  };
}

async function settle(): Promise<void> {
  for (let n = 0; n < TURNS; n += 1) await turn();
}

function clientOf(
  hosts: ReadonlyMap<string, Host>,
  log: ScriptedLog,
  clock: VirtualClock,
): PullClient {
  const pause = (ms: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted === true) resolve();
      signal?.addEventListener('abort', () => resolve(), { once: true });
      clock.after(ms, resolve);
    });
  return {
    get: async (baseUrl, path, { signal } = {}) => {
      const host = hosts.get(baseUrl);
      if (host === undefined) throw new Error(`nobody is at ${baseUrl}`);
      const at = clock.now();
      host.asked.push(at - BEGUN_MS);
      const query = new URL(path, baseUrl).searchParams;
      const from = Number(query.get('from'));
      const wait = host.manner === 'well' && from >= host.size();
      await pause(
        host.slowMs + (wait ? Number(query.get('wait')) * 1000 : 0),
        signal,
      );
      if (host.manner === 'hangs') {
        await pause(at + HEADERS_MS - clock.now(), signal);
      }
      if (signal?.aborted === true) return refused('stopped');
      if (host.manner === 'hangs') return refused('timeout');
      if (host.manner === 'refuses') return refused('unreachable');
      const size = host.size();
      const broken = host.manner === 'breaks' || from > size;
      if (!broken) host.heardAt = clock.now() - BEGUN_MS;
      const page = broken ? {} : log.page(from, 256, 'all', size);
      const body = Buffer.from(JSON.stringify(page));
      const status = broken ? 503 : 200;
      return accepted({ status, body });
    },
  };
}
