import { setImmediate as turn } from 'node:timers/promises';
import type { PullClient, PullSource } from '../../../mesh/pull/hooks.js';
import { mirrorPrefix } from '../../../mesh/pull/store/mirror-log.js';
import { ready } from '../../../protocol/signing.js';
import { accepted, refused } from '../../../protocol/verdict.js';
import { formatVkey } from '../../../protocol/vkey.js';
import type { Clock } from '../../../server/clock.js';
import { chosenSeed, randomOf } from '../../support/random.js';
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

type Manner = 'well' | 'refuses' | 'hangs' | 'breaks';

/** A board that has the log up to `size`: all of it, where a test does not say. */
type Host = {
  url: string;
  manner: Manner;
  /** Before each answer. */
  slowMs: number;
  size: () => number;
  /** When it was asked, in ms since the beginning. */
  asked: number[];
  heardAt: number;
};

type Hosts = {
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
function simulatedHosts(mirrorCount: number, random: () => number): Hosts {
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

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DEATHS: Manner[] = ['refuses', 'hangs', 'breaks'];

describe('when the mirrors of a dead origin are asked', () => {
  let hosts: Hosts;

  /** An origin that was pulled for a minute, and the first of its mirrors. */
  async function scene(mirrors: number, random = () => 1): Promise<Host> {
    hosts = simulatedHosts(mirrors, random);
    await hosts.pass(MINUTE);
    const [first = hosts.origin] = hosts.mirrors;
    return first;
  }

  before(ready);
  afterEach(() => hosts.stop());

  function patience({ asked }: Host): number {
    const { heardAt } = hosts.origin;
    return (asked.find((at) => at > heardAt) ?? Infinity) - heardAt;
  }

  for (const manner of DEATHS) {
    it(`is within 15 s after a minute where it ${manner}, each time`, async () => {
      const mirror = await scene(1);
      for (let time = 0; time < 3; time += 1) {
        hosts.origin.manner = manner;
        await hosts.pass(10 * MINUTE);
        expect(patience(mirror)).to.be.within(60 * SECOND, 75 * SECOND);
        hosts.origin.manner = 'well';
        hosts.hint();
        await hosts.pass(2 * MINUTE);
      }
    });
  }

  it('is so at every moment of any back-off', async () => {
    const random = randomOf(chosenSeed());
    const mirror = await scene(1, random);
    for (let death = 0; death < 60; death += 1) {
      const { origin } = hosts;
      const steps = 1 + Math.floor(random() * 4);
      for (let step = 0; step < steps; step += 1) {
        origin.manner = DEATHS[Math.floor(random() * 3)] ?? 'refuses';
        await hosts.pass(Math.floor(random() * 40 * SECOND));
      }
      await hosts.pass(2 * MINUTE);
      const told = `death ${death}`;
      expect(patience(mirror), told).to.be.within(60 * SECOND, 75 * SECOND);
      origin.manner = 'well';
      hosts.hint();
      await hosts.pass(Math.floor(random() * MINUTE));
    }
  });

  it('is within 15 s of the moment that one is listed, however late', async () => {
    const mirror = await scene(1);
    const { origin, listed, log } = hosts;
    const sources = listed.splice(0);
    origin.manner = 'refuses';
    await hosts.pass(5 * 60 * MINUTE);
    log.post();
    listed.push(...sources);
    const at = hosts.now();
    await hosts.pass(15 * SECOND);
    expect(mirror.asked[0]).to.be.within(at, at + 15 * SECOND);
    expect(hosts.mirrored()).to.equal(log.size);
  });

  it('comes to a mirror that has more than those before it', async () => {
    await scene(3);
    const { origin, mirrors, log } = hosts;
    const { size } = log;
    for (const mirror of mirrors.slice(0, 2)) mirror.size = () => size;
    origin.manner = 'refuses';
    for (let n = 0; n < 5; n += 1) log.post();
    await hosts.pass(3 * MINUTE);
    expect(hosts.mirrored()).to.equal(log.size);
  });

  it('goes past mirrors that fail, and comes back to them', async () => {
    await scene(4);
    const { origin, mirrors, log } = hosts;
    origin.manner = 'refuses';
    for (const [nth, mirror] of mirrors.entries()) {
      mirror.manner = DEATHS[nth] ?? 'well';
    }
    log.post();
    await hosts.pass(3 * MINUTE);
    expect(hosts.mirrored()).to.equal(log.size);
    for (const mirror of mirrors) mirror.manner = 'refuses';
    await hosts.pass(10 * MINUTE);
    for (const mirror of mirrors.slice(0, 1)) mirror.manner = 'well';
    log.post();
    await hosts.pass(15 * SECOND);
    expect(hosts.mirrored()).to.equal(log.size);
  });

  it('is a few times a minute while all of them fail, and no more', async () => {
    await scene(2);
    const { origin, mirrors } = hosts;
    for (const host of [origin, ...mirrors]) host.manner = 'refuses';
    const tries = origin.asked.length;
    await hosts.pass(30 * MINUTE);
    for (const { asked } of mirrors) {
      expect(asked.length).to.be.within(29 * 3, 30 * 5);
    }
    expect(origin.asked.length - tries).to.be.below(15);
  });

  it('ends at once when the origin says that it lives', async () => {
    const mirror = await scene(1);
    const { origin, log } = hosts;
    const { size } = log;
    mirror.size = () => size;
    origin.manner = 'refuses';
    await hosts.pass(2 * 60 * MINUTE);
    origin.manner = 'well';
    log.post();
    hosts.hint(); // in the middle of a wait at the mirror
    await hosts.pass(1);
    expect(hosts.mirrored()).to.equal(log.size);
    const asked = mirror.asked.length;
    await hosts.pass(10 * MINUTE);
    expect(mirror.asked.length).to.equal(asked);
  });

  it('ends with the first try at which the origin answers', async () => {
    const mirror = await scene(1);
    const { origin } = hosts;
    origin.manner = 'refuses';
    await hosts.pass(5 * MINUTE);
    origin.manner = 'well';
    await hosts.pass(10 * MINUTE);
    const asked = mirror.asked.length;
    await hosts.pass(10 * MINUTE);
    expect(origin.heardAt).to.be.above(hosts.now() - MINUTE);
    expect(mirror.asked.length).to.equal(asked);
  });

  it('leaves an origin without mirrors, and only slow, the time it needs', async () => {
    await scene(0);
    const { origin, log } = hosts;
    origin.manner = 'refuses';
    await hosts.pass(5 * MINUTE);
    origin.manner = 'well';
    origin.slowMs = 20 * SECOND;
    log.post();
    hosts.hint();
    await hosts.pass(MINUTE);
    expect(hosts.mirrored()).to.equal(log.size);
  });
});
