import type { Context } from '../server/context.js';
import type { Connection } from '../server/db/session.js';
import type { PeerClient } from './pull/fetch/peer-client.js';
import type { PullHooks, PullParts } from './pull/hooks.js';
import { sleep } from './pull/sleep.js';
import { type PullPeer, readActivePeers } from './pull/store/peer-rows.js';
import { databaseStore } from './pull/store/pull-store.js';
import { SignaturePool } from './pull/verify/signature-pool.js';
import { textRules } from './pull/verify/text-rules.js';
import { PullPeerWorker } from './pull/worker.js';
import { WorkerLocks } from './worker-locks.js';

/** For changes whose NOTIFY was lost. */
const LOOK_MS = 10_000;

export type MeshParts = {
  ctx: Context;
  connection: Connection;
  client: PeerClient;
  /** Distinguishes processes that share a database. */
  instance: string;
  hooks: PullHooks;
};

type Running = {
  /** A change of these restarts it. */
  facts: string;
  stopper: AbortController;
  done: Promise<void>;
};

/**
 * One worker per active peer, following the rows of `peer`. A worker that fails
 * or hangs affects only its peer.
 */
export class Mesh {
  private readonly ctx: Context;
  private readonly parts: PullParts;
  private readonly locks: WorkerLocks;
  private readonly signatures = new SignaturePool();
  private readonly running = new Map<number, Running>();
  private readonly stopper = new AbortController();
  private supervising: Promise<void> | null = null;

  constructor({ ctx, client, hooks, instance, connection }: MeshParts) {
    this.ctx = ctx;
    const { clock, events, ledger, limits, log, writes: db } = ctx;
    const rules = textRules(limits);
    const now = () => clock.now();
    const kept = { db, ledger, limits, client, textRules: rules };
    const store = { ...kept, now, instance };
    this.parts = {
      store: databaseStore(store),
      client,
      clock,
      limits,
      textRules: rules,
      judgeAhead: this.signatures.judge,
      events,
      log,
      hooks,
      random: Math.random,
    };
    this.locks = new WorkerLocks(connection, () => {
      for (const { stopper } of this.running.values()) stopper.abort();
    });
  }

  start(): void {
    this.supervising ??= this.supervise();
  }

  async stop(): Promise<void> {
    this.stopper.abort();
    await this.supervising;
    const ends = [...this.running.keys()].map((id) => this.end(id));
    await Promise.all(ends);
    await this.signatures.close();
    await this.locks.close();
  }

  get pulling(): number {
    return this.running.size;
  }

  private async supervise(): Promise<void> {
    const { signal } = this.stopper;
    const { clock, events, log } = this.parts;
    while (!signal.aborted) {
      const changed = events.subscribe('peers');
      try {
        await this.look();
      } catch (error) {
        log.warn({ err: error }, 'the peers could not be looked at');
      }
      await sleep(clock, LOOK_MS, changed, signal);
    }
  }

  /** Starts and stops workers as peers changed. */
  private async look(): Promise<void> {
    const peers = await readActivePeers(this.ctx.writes);
    const wanted = new Map(peers.map((peer) => [peer.originId, factsOf(peer)]));
    for (const [originId, { facts }] of [...this.running]) {
      if (wanted.get(originId) !== facts) await this.end(originId);
    }
    for (const [originId, facts] of wanted) {
      if (this.stopper.signal.aborted) return;
      if (!this.running.has(originId)) await this.begin(originId, facts);
    }
  }

  private async begin(originId: number, facts: string): Promise<void> {
    if (!(await this.locks.take(originId))) return; // another process pulls it
    const stopper = new AbortController();
    const worker = new PullPeerWorker(this.parts, originId, stopper.signal);
    const done = worker
      .run()
      .catch((error: unknown) => {
        this.parts.log.error({ err: error, originId }, 'a worker failed');
      })
      .finally(async () => {
        if (this.running.get(originId)?.stopper === stopper) {
          this.running.delete(originId);
        }
        await this.locks.release(originId);
      });
    this.running.set(originId, { facts, stopper, done });
  }

  private async end(originId: number): Promise<void> {
    const running = this.running.get(originId);
    running?.stopper.abort();
    await running?.done;
  }
}

function factsOf({ baseUrl, origin, trust, content }: PullPeer): string {
  return [baseUrl, origin, trust, content].join(' ');
}
