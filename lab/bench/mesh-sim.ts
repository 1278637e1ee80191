import { setMaxListeners } from 'node:events';
import type { PullClient } from '../../mesh/pull/hooks.js';
import { mirrorPrefix } from '../../mesh/pull/store/mirror-log.js';
import { fromUtf8 } from '../../protocol/bytes.js';
import { accepted, refused } from '../../protocol/verdict.js';
import { systemClock } from '../../server/clock.js';
import {
  LOG_VKEY,
  logOf,
  signedEntries,
} from '../../test/client/support/signed-log.js';
import { MemoryLog } from '../../test/mesh/support/memory-log.js';
import {
  MemoryStore,
  memoryWorker,
} from '../../test/mesh/support/memory-store.js';

type Traffic = { requests: number; pages: number; bytes: number };

type Place = {
  log: MemoryLog;
  /** How many links what it holds has crossed, pages in a row included. */
  rounds: number;
};

class SimNetwork {
  readonly traffic: Traffic = { requests: 0, pages: 0, bytes: 0 };
  private readonly places: Place[] = [];
  private side: ReadonlySet<number> | null = null;
  private breakAll = () => {};
  private broken = this.unbroken();

  constructor(
    private readonly isLinked: (from: number, to: number) => boolean,
  ) {}

  static url(node: number): string {
    return `http://node-${node}.sim`;
  }

  join(log: MemoryLog): void {
    this.places.push({ log, rounds: 0 });
  }

  /** Links between the two sides go, and what waits on them fails. */
  split(side: ReadonlySet<number>): void {
    this.side = side;
    this.breakAll();
    this.broken = this.unbroken();
  }

  heal(): void {
    this.side = null;
  }

  reset(): void {
    Object.assign(this.traffic, { requests: 0, pages: 0, bytes: 0 });
    for (const place of this.places) place.rounds = 0;
  }

  /** The longest way that anything had to go. */
  get rounds(): number {
    return Math.max(...this.places.map(({ rounds }) => rounds));
  }

  /** A node's way out, in the place of HTTP. */
  client(from: number): PullClient {
    return {
      get: async (baseUrl, path, { signal } = {}) => {
        const to = Number(/node-(\d+)\.sim$/.exec(baseUrl)?.[1]);
        this.traffic.requests += 1;
        const query = new URL(path, baseUrl).searchParams;
        const number = (name: string) => Number(query.get(name));
        const [start, limit] = [number('from'), number('limit')];
        const [here, there] = [this.places[from], this.places[to]];
        if (here === undefined || there === undefined || !this.isUp(from, to)) {
          return refused('unreachable');
        }
        const { log } = there;
        const stopped = ended(signal);
        while (
          number('wait') > 0 &&
          log.head?.size === start &&
          this.isUp(from, to) &&
          signal?.aborted !== true
        ) {
          await log.grown(Promise.race([this.broken, stopped]));
        }
        if (signal?.aborted === true) return refused('stopped');
        const page = this.isUp(from, to) ? log.page(start, limit) : null;
        if (page === null) return refused('unreachable');
        const body = Buffer.from(page, 'utf8');
        this.traffic.bytes += body.length;
        if ((log.head?.size ?? 0) > start) {
          this.traffic.pages += 1;
          here.rounds = Math.max(here.rounds, there.rounds) + 1;
        }
        return accepted({ status: 200, body });
      },
    };
  }

  private isUp(from: number, to: number): boolean {
    if (!this.isLinked(from, to)) return false;
    return this.side === null || this.side.has(from) === this.side.has(to);
  }

  private unbroken(): Promise<void> {
    return new Promise((resolve) => {
      this.breakAll = resolve;
    });
  }
}

function ended(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

const NAME = 'board.bench';
const FANOUT = 8;
/** Later than every entry, and still: only the links of a run matter. */
const NOW = 1_768_478_400_000 + 3_600_000;

export type SimOptions = {
  nodes: number;
  /** Messages before the partition, and while it lasts. */
  before: number;
  during: number;
  random: () => number;
};

export type SimResult = Traffic & {
  nodes: number;
  depth: number;
  /** Nodes that had nothing of it when the partition healed. */
  behind: number;
  /** Links crossed one after the other, pages in a row included. */
  rounds: number;
  /** Bytes moved by bytes of a direct copy to every node. */
  ratio: number;
  ms: number;
};

const parentOf = (node: number) => Math.floor((node - 1) / FANOUT);

function depthOf(node: number): number {
  return node === 0 ? 0 : depthOf(parentOf(node)) + 1;
}

/**
 * One origin and a tree of mirrors that run the node's own pull loop over
 * memory and simulated links. The first level reaches the origin; whoever is
 * below knows it by its key and reads it at its parent's mirror (spec/mesh.md
 * §B7.5).
 */
export async function simulate(options: SimOptions): Promise<SimResult> {
  const { nodes, before, during, random } = options;
  const source = signedEntries(before + during);
  const added = source.map(({ leaf, content }) => {
    const text = fromUtf8(leaf);
    if (text === null) throw new Error('a leaf that is no text');
    return { leaf: text, content };
  });
  const cut = source.length - during;
  const origin = new MemoryLog(`${NAME}/log`);
  const first = await logOf(source.slice(0, cut)).checkpoint();
  origin.append(added.slice(0, cut), first);

  const linked = (from: number, to: number) => parentOf(from) === to;
  const network = new SimNetwork(linked);
  const logs = [origin];
  network.join(origin);
  const stopper = new AbortController();
  setMaxListeners(0, stopper.signal);
  const about = { name: NAME, url: SimNetwork.url(0), logVkey: LOG_VKEY };
  const prefix = mirrorPrefix(origin.origin);
  const wakes: (() => void)[] = [];
  const workers: Promise<void>[] = [];
  for (let node = 1; node <= nodes; node += 1) {
    const mirror = new MemoryLog(origin.origin);
    const parent = { baseUrl: SimNetwork.url(parentOf(node)), prefix };
    const store = new MemoryStore(mirror, about, [parent], () => NOW);
    network.join(mirror);
    logs.push(mirror);
    const client = network.client(node);
    const clock = { ...systemClock, now: () => NOW };
    const parts = { client, clock, random };
    const { ended, hint } = memoryWorker(store, parts, stopper.signal);
    workers.push(ended);
    wakes.push(hint);
  }
  try {
    await everyone(logs, cut, wakes);
    network.reset();
    const ids = Array.from({ length: nodes }, (_, n) => n + 1);
    network.split(new Set(ids.filter(() => random() < 0.5)));
    origin.append(added.slice(cut), await logOf(source).checkpoint());
    const reached = () =>
      logs.filter(({ frontier }) => frontier.size === source.length).length;
    for (let last = -1; last !== reached(); ) {
      last = reached();
      await turn();
    }
    const behind = logs.length - reached();
    network.heal();
    const started = performance.now();
    for (const wake of wakes) wake();
    await everyone(logs, source.length, wakes);
    const ms = performance.now() - started;
    const copy = Buffer.byteLength(origin.page(cut, during) ?? '');
    const { traffic, rounds } = network;
    return {
      ...traffic,
      nodes,
      depth: depthOf(nodes),
      behind,
      rounds,
      ratio: traffic.bytes / (nodes * copy),
      ms,
    };
  } finally {
    stopper.abort();
    for (const wake of wakes) wake();
    await Promise.all(workers);
  }
}

/** Until every log has that size; a node that rests is told to go on. */
async function everyone(
  logs: readonly MemoryLog[],
  size: number,
  wakes: readonly (() => void)[],
): Promise<void> {
  for (let turns = 1; ; turns += 1) {
    if (logs.every(({ frontier }) => frontier.size === size)) return;
    await turn();
    if (turns % 1000 === 0) for (const wake of wakes) wake();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
