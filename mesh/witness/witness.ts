import { IsNull, LessThan, LessThanOrEqual } from 'typeorm';
import { parseVkey } from '../../protocol/vkey.js';
import { Peer } from '../../server/db/entities/peer.js';
import { PULLABLE } from '../../server/db/pullable.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import { serves } from '../peer-port.js';
import { noticeShownIdentity } from '../peers/adopt-identity.js';
import type { Fork, ForkCode, PullHooks } from '../pull/hooks.js';
import { alertOperators } from './alert-operators.js';
import { Cosigner, newestCosigned } from './cosigner.js';
import { GossipMemory, gossipRound } from './gossip.js';
import { judgeHead } from './judge-head.js';
import { activeLogs, logSize, type WitnessParts } from './known-logs.js';
import {
  clearUnresolved,
  markDegraded,
  markUnresolved,
} from './unresolved-heads.js';

const ROUND_MS = 60_000;
const GREET_MS = 5000;

/** Gossip, anchors, evidence, cosignatures (spec/mesh.md §B7, §B8). */
export class Witness {
  readonly cosigner: Cosigner;
  private readonly memory = new GossipMemory();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: WitnessParts) {
    this.cosigner = new Cosigner(parts);
  }

  readonly hooks: PullHooks = {
    afterPage: async (page) => {
      if (this.memory.forks.delete(page.originId)) {
        await clearUnresolved(this.parts, page.originId);
      }
      this.cosigner.durable(page);
    },
    onFork: (fork) => this.explain(fork),
    onIdentity: (originId, note) =>
      noticeShownIdentity(this.parts, originId, note),
  };

  start(): void {
    this.running = this.greet().then(() => this.tick());
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.tick());
    }, ROUND_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.running;
    await this.cosigner.stop();
  }

  async round(): Promise<void> {
    await gossipRound(this.parts, this.memory, this.cosigner);
    await alertOperators(this.parts);
    await anchorPeers(this.parts);
  }

  private async tick(): Promise<void> {
    if (this.parts.stopping.aborted) return;
    try {
      await this.round();
    } catch (error) {
      this.parts.log.warn({ err: error }, 'a gossip round failed');
    }
  }

  /** After downtime, peers have backed off. */
  private async greet(): Promise<void> {
    const { writes, client, board, stopping, log } = this.parts;
    try {
      const size = await logSize(writes, OWN_LOG);
      const logs = await activeLogs(writes);
      const hint = { origin: board.origin, size };
      const asked = [...logs.values()].filter((log) => serves(log, 'witness'));
      await Promise.all(
        asked.map(({ baseUrl }) =>
          client.post(baseUrl, '/api/mesh/hint', hint, {
            signal: AbortSignal.any([stopping, AbortSignal.timeout(GREET_MS)]),
            maxBytes: 65_536,
          }),
        ),
      );
    } catch (error) {
      log.warn({ err: error }, 'peers could not be greeted');
    }
  }

  /**
   * A head that does not continue ours (spec/mesh.md §B7 step 4, §B8): if
   * proven consistent, the page was corrupt; a proven fork is evidence; others
   * wait ten minutes. A mirror's word alone proves nothing.
   */
  private async explain(fork: Fork): Promise<ForkCode> {
    const { parts, memory } = this;
    const { originId, origin, logVkey, checkpoint, source } = fork;
    const vkey = parseVkey(logVkey);
    if (!vkey.ok) return 'feed_corrupt';
    const pinned = { originId, origin, logVkey, vkey: vkey.value };
    const log = { ...pinned, ...source };
    const verdict = await judgeHead(parts, log, checkpoint, source);
    const known = (await activeLogs(parts.writes)).get(origin);
    if (verdict === 'equivocation') return 'equivocation';
    // Stopped meanwhile, so its reason is known.
    if (known === undefined && verdict === 'unresolved')
      return 'unresolved_view';
    // No longer a peer, or a mirror.
    if (source.baseUrl !== known?.baseUrl) return 'feed_corrupt';
    if (verdict === 'fits' || verdict === 'continues') {
      await markDegraded(parts, log, 'feed_corrupt');
    }
    if (verdict !== 'unresolved') return 'feed_corrupt';
    memory.forks.add(originId);
    await markUnresolved(parts, originId);
    return 'unresolved_view';
  }
}

const HOUR_MS = 3_600_000;

/** Hourly: other histories of the peer have to agree (spec/mesh.md §B8). */
async function anchorPeers(parts: WitnessParts): Promise<void> {
  const { writes, ledger, clock, keys, guard } = parts;
  if (guard.closed !== null) return;
  const due = await writes.manager.find(Peer, {
    select: { originId: true, logVkey: true, anchoredSize: true },
    where: [
      { ...PULLABLE, anchoredAt: IsNull() },
      { ...PULLABLE, anchoredAt: LessThanOrEqual(clock.now() - HOUR_MS) },
    ],
    order: { originId: 'ASC' },
  });
  const { name: mirror } = keys.mirror.vkey;
  for (const peer of due) {
    const { originId, anchoredSize } = peer;
    const newest = await newestCosigned(writes, peer, mirror);
    if (newest === null || newest.size <= anchoredSize) continue;
    const { size, lines } = newest;
    const embedded = `${lines.body}\n${lines.log}${lines.cosignature}`;
    await ledger.append(async (context) => {
      const { affected } = await context.tx.manager.update(
        Peer,
        { originId, anchoredSize: LessThan(size) },
        { anchoredSize: size, anchoredAt: context.now },
      );
      const anchor = { type: 'anchor', at: context.at, embedded } as const;
      if (affected !== 0) context.append(anchor);
      return () => undefined;
    });
  }
}
