import { measuredLag, type PeerAdmin } from '../../../mesh/mesh-ports.js';
import { DAY_MS } from '../../clock.js';
import type { Context } from '../../context.js';
import type { OpenDatabase } from '../../db/connect.js';
import {
  ALERT_KINDS,
  freeDisk,
  openAlerts,
  PROBLEM_NAMES,
  unreadiness,
} from '../../operations/index.js';
import { type NodeGauge, ownLogSize } from '../../stats/index.js';
import { unackedRemovals, watchedFacts } from '../commands/figures.sql.js';

const seconds = (ms: number | null) => ms && ms / 1000;

/** Of the whole node; null: nothing to measure. */
function gauge(
  name: string,
  help: string,
  value: () => number | null | Promise<number | null>,
): NodeGauge {
  const read = async () => {
    const found = await value();
    return found === null ? [] : [{ labels: {}, value: found }];
  };
  return { name: `board_${name}`, help, labels: [], read };
}

/** One of each row, by what names it, with labels that `sample` adds. */
function gaugesBy<Row>(
  label: string,
  rows: () => Promise<readonly Row[]> | readonly Row[],
  nameOf: (row: Row) => string | number,
) {
  return (
    name: string,
    help: string,
    sample: (row: Row) => { value: number | null } & Record<string, unknown>,
    ...more: string[]
  ): NodeGauge => {
    const read = async () =>
      (await rows()).flatMap((row) => {
        const { value, ...rest } = sample(row);
        const labels = { [label]: String(nameOf(row)), ...rest } as Labels;
        return value === null ? [] : { labels, value };
      });
    return { name: `board_${name}`, help, labels: [label, ...more], read };
  };
}
type Labels = Record<string, string>;

/** How often each name is among those found. */
const countsOf = (names: readonly string[], found: readonly string[]) =>
  names.map((name) => ({
    name,
    value: found.filter((one) => one === name).length,
  }));

const byName = ({ name }: { name: string }) => name;
const itself = (name: string) => name;

/**
 * Alerts as figures for Prometheus (docs/recover.md).
 * @param certificate end of BASE_URL's certificate, in ms
 */
export function nodeGauges(
  ctx: Context,
  peers: PeerAdmin,
  certificate: () => Promise<number | null>,
): NodeGauge[] {
  const { reads, clock, guard, clockGuard, config, replicas } = ctx;
  const age = (note: { at: number } | null) =>
    note && seconds(Math.max(0, clock.now() - note.at));
  const facts = () => watchedFacts(reads, clock.now());
  const standbys = async () => (await replicas?.look())?.replicas ?? [];
  const byPeer = gaugesBy('peer', () => peers.list(), byName);
  const byReplica = gaugesBy('replica', standbys, ({ number }) => number);
  const alerts = async () =>
    countsOf(
      ALERT_KINDS,
      (await openAlerts(reads)).map(({ kind }) => kind),
    );
  const problems = async () => countsOf(PROBLEM_NAMES, await unreadiness(ctx));
  const overdueRemovals = () => unackedRemovals(reads, clock.now() - DAY_MS);
  const value = ({ value }: { value: number }) => ({ value });
  return [
    gauge('ledger_entries', "Entries of the board's log.", () =>
      ownLogSize(reads),
    ),
    gauge(
      'ledger_queue',
      'Writes of this process that wait for the head lock.',
      () => ctx.ledger.queued,
    ),
    gaugesBy('channel', () => ['messages', 'log', 'polls'] as const, itself)(
      'waiters',
      'Long polls of this process by what they wait for.',
      (channel) => ({ value: ctx.events.waiters(channel) }),
    ),
    gaugesBy('places', () => ['board', 'mesh'] as const, itself)(
      'wait_places_taken',
      'Places to wait that long polls hold, by whose limits count.',
      (places) => ({ value: ctx.readLimiter.taken(places) }),
    ),
    gaugesBy('kind', alerts, byName)('alerts', 'Open alerts by kind.', value),
    gauge('writes_closed', '1 while the log guard keeps writes closed.', () =>
      guard.closed === null ? 0 : 1,
    ),
    gauge(
      'clock_ahead_seconds',
      'How far the clock has jumped ahead.',
      () => clockGuard.aheadSeconds,
    ),
    gaugesBy('problem', problems, byName)(
      'unready',
      '1 for each reason why /readyz fails.',
      value,
    ),
    byPeer(
      'peer_status',
      '1 for the status that each peer has.',
      ({ status }) => ({ value: 1, status }),
      'status',
    ),
    byPeer(
      'peer_pending',
      '1 for the reason why the copy of a peer does not grow.',
      ({ standstill: it }) => ({ value: it && 1, reason: it?.reason }),
      'reason',
    ),
    byPeer(
      'peer_lag_seconds',
      'Age of the oldest known entry of a peer that is not mirrored yet.',
      (peer) => ({ value: seconds(measuredLag(peer)) }),
    ),
    gaugesBy('peer', overdueRemovals, byName)(
      'removals_unacknowledged',
      'Removals that a peer has not acknowledged for a day.',
      ({ removals }) => ({ value: removals }),
    ),
    byReplica(
      'replica_serving',
      '1 while a replica answers reads; by its place in the setting.',
      ({ state }) => ({ value: Number(state === 'serving') }),
    ),
    byReplica(
      'replica_status',
      '1 for what each replica is (docs/operate.md, Replicas).',
      ({ state: status }) => ({ value: 1, status }),
      'status',
    ),
    byReplica(
      'replica_behind_bytes',
      'What a replica has not replayed of the log of changes.',
      ({ behindBytes }) => ({ value: behindBytes }),
    ),
    byReplica(
      'replica_reads',
      'Statements that a replica has answered for this process.',
      ({ reads }) => ({ value: reads }),
    ),
    gauge(
      'primary_reads',
      'Statements of reads that the primary had to answer beside replicas.',
      async () => (await replicas?.look())?.primaryReads ?? null,
    ),
    gauge('backup_age_seconds', 'Since the last backup.', async () =>
      age((await facts()).backup),
    ),
    gauge(
      'backup_verified_age_seconds',
      'Since the last trial restore of a backup.',
      async () => age((await facts()).verified),
    ),
    gauge(
      'disk_free_bytes',
      'Free on the disk of DATA_DIR.',
      async () => (await freeDisk(config.dataDir))?.bytes ?? null,
    ),
    gauge(
      'certificate_seconds_left',
      'Until the certificate of BASE_URL ends.',
      async () => {
        const end = await certificate();
        return end && seconds(end - clock.now());
      },
    ),
  ];
}

export function poolGauges(pressure: OpenDatabase['pressure']): NodeGauge[] {
  const byPool = gaugesBy('pool', pressure, ({ pool }) => pool);
  return [
    byPool(
      'pool_used',
      'Connections to the primary in use, of 7, 7 and 6.',
      ({ used: value }) => ({ value }),
    ),
    byPool(
      'pool_waiting',
      'Statements that wait for a connection to the primary.',
      ({ waiting: value }) => ({ value }),
    ),
  ];
}
