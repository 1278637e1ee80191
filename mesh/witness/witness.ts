import { parseVkey } from '../../protocol/vkey.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import { clearAlarm, raiseAlarm } from '../../server/operations/alerts.js';
import type { Fork, PullSeams } from '../pull/hooks.js';
import { anchorPeers } from './anchor-peers.js';
import { Cosigner } from './cosigner.js';
import { GossipMemory, gossipRound } from './gossip.js';
import { judgeHead } from './judge-head.js';
import { activeLogs, type KnownLog } from './known-logs.js';
import { noticeShownIdentity } from './shown-identity.js';
import { tellMoved } from './tell-moved.js';
import {
  clearUnresolved,
  markDegraded,
  markUnresolved,
} from './unresolved-heads.js';
import type { WitnessParts } from './witness-parts.js';

const ROUND_MS = 60_000;
/** Peers that do not answer hold up the first round no longer than this. */
const GREET_MS = 5000;

/**
 * Watches the peers' logs with other eyes than the pull loop's: gossip every
 * minute, anchors every hour, evidence, cosignatures (spec/mesh.md §B7, §B8).
 */
export class Witness {
  readonly cosigner: Cosigner;
  private readonly memory = new GossipMemory();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: WitnessParts) {
    this.cosigner = new Cosigner(parts);
  }

  /** What the pull loop calls at its turns. */
  readonly seams: PullSeams = {
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

  /** One round of everything; it may be asked for at any time. */
  async round(): Promise<void> {
    await gossipRound(this.parts, this.memory, this.cosigner);
    await tellOperators(this.parts);
    await tellMoved(this.parts);
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

  /** Ends the back-off of peers that tried while this node was down. */
  private async greet(): Promise<void> {
    const { writes, client, board, stopping, log } = this.parts;
    try {
      const [head] = await writes.query<{ size: number }>(
        'SELECT size FROM log_state WHERE origin_id = $1',
        [OWN_LOG],
      );
      const logs = await activeLogs(writes);
      const hint = { origin: board.origin, size: head?.size ?? 0 };
      await Promise.all(
        [...logs.values()].map(({ baseUrl }) =>
          client.post(baseUrl, '/api/mesh/hint', hint, {
            signal: AbortSignal.any([stopping, AbortSignal.timeout(GREET_MS)]),
            maxWireBytes: 65_536,
          }),
        ),
      );
    } catch (error) {
      log.warn({ err: error }, 'peers could not be greeted');
    }
  }

  /**
   * A head that does not continue ours (spec/mesh.md §B7 step 4, B8): what the
   * log proves consistent after all was a corrupt page; a proven fork is
   * evidence; the rest waits ten minutes. A mirror's word alone never doubts an
   * origin.
   */
  private async explain(fork: Fork): Promise<void> {
    const { parts, memory } = this;
    const log = knownLog(fork);
    if (log === null) return;
    const verdict = await judgeHead(parts, log, fork.checkpoint, fork.source);
    const known = (await activeLogs(parts.writes)).get(fork.origin);
    if (known === undefined) return;
    const fromOrigin = fork.source.baseUrl === known.baseUrl;
    if (!fromOrigin) return;
    if (verdict === 'fits' || verdict === 'continues') {
      await markDegraded(parts, log, 'feed_corrupt');
    }
    if (verdict !== 'unresolved') return;
    memory.forks.add(fork.originId);
    await markUnresolved(parts, fork.originId);
  }
}

function knownLog(fork: Fork): KnownLog | null {
  const vkey = parseVkey(fork.logVkey);
  if (!vkey.ok) return null;
  const { originId, origin, logVkey, source } = fork;
  const name = origin.slice(0, origin.indexOf('/'));
  return { originId, name, origin, logVkey, vkey: vkey.value, ...source };
}

type Told = { origin: string; reason: string };

const DEGRADED = `SELECT p.origin, coalesce(p.degraded_reason, 'unknown') AS reason
  FROM peer p
  WHERE p.status = 'active' AND p.degraded_until > $1 AND NOT EXISTS (
    SELECT FROM alarm a WHERE a.kind = 'peer_degraded'
      AND a.subject = p.origin AND a.cleared_at IS NULL)`;

const WELL_AGAIN = `SELECT a.subject AS origin, '' AS reason FROM alarm a
  WHERE a.kind = 'peer_degraded' AND a.cleared_at IS NULL AND NOT EXISTS (
    SELECT FROM peer p WHERE p.origin = a.subject AND p.status = 'active'
      AND p.degraded_until > $1)`;

/** Those whom the pull loop itself has stopped. */
const STOPPED = `SELECT p.origin, p.status_reason AS reason FROM peer p
  WHERE p.status = 'quarantined' AND p.status_reason = 'rolled_back'
    AND NOT EXISTS (SELECT FROM alarm a WHERE a.kind = p.status_reason
      AND a.subject = p.origin AND a.cleared_at IS NULL)`;

/**
 * Alerts operators to peers that became degraded by what they serve, or were
 * stopped for it, whoever found it out (spec/mesh.md §B7), and ends the alarms
 * of those that are well again.
 */
async function tellOperators({
  writes,
  clock,
}: Pick<WitnessParts, 'writes' | 'clock'>): Promise<void> {
  const now = clock.now();
  const degraded = await writes.query<Told>(DEGRADED, [now]);
  for (const { origin, reason } of degraded) {
    const detail = `The peer of ${origin} is degraded: ${reason}. It goes on; "peer list" shows its counts.`;
    const alarm = { kind: 'peer_degraded', subject: origin, detail } as const;
    await raiseAlarm(writes, alarm, now);
  }
  const well = await writes.query<Told>(WELL_AGAIN, [now]);
  for (const { origin } of well) {
    const alarm = { kind: 'peer_degraded', subject: origin } as const;
    await clearAlarm(writes, alarm, now);
  }
  for (const { origin } of await writes.query<Told>(STOPPED)) {
    const detail = `The peer of ${origin} is quarantined: its log lost history; "peer resume" ends it once its operator has explained.`;
    const alarm = { kind: 'rolled_back', subject: origin, detail } as const;
    await raiseAlarm(writes, alarm, now);
  }
}
