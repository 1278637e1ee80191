import type { PeerAdmin } from '../../../mesh/mesh-ports.js';
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
import type { NodeGauge } from '../../stats/index.js';
import { unackedRemovals, watchedFacts } from '../commands/figures.sql.js';

const plain = (value: number) => [{ labels: {}, value }];
const seconds = (ms: number) => ms / 1000;

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
  const gauge = (
    name: string,
    help: string,
    read: NodeGauge['read'],
    ...labels: string[]
  ): NodeGauge => ({ name: `board_${name}`, help, labels, read });
  const age = (note: { at: number } | null) =>
    note === null ? [] : plain(seconds(Math.max(0, clock.now() - note.at)));
  const standbys = async () => (await replicas?.look())?.replicas ?? [];
  const of = ({ number }: { number: number }, value: number | boolean) => ({
    labels: { replica: String(number) },
    value: Number(value),
  });
  const facts = () => watchedFacts(reads, clock.now());
  return [
    gauge(
      'alerts',
      'Open alerts by kind.',
      async () => {
        const open = await openAlerts(reads);
        return ALERT_KINDS.map((kind) => ({
          labels: { kind },
          value: open.filter((alert) => alert.kind === kind).length,
        }));
      },
      'kind',
    ),
    gauge('writes_closed', '1 while the log guard keeps writes closed.', () =>
      Promise.resolve(plain(guard.closed === null ? 0 : 1)),
    ),
    gauge('clock_ahead_seconds', 'How far the clock has jumped ahead.', () =>
      Promise.resolve(plain(clockGuard.aheadSeconds)),
    ),
    gauge(
      'unready',
      '1 for each reason why /readyz fails.',
      async () => {
        const found = await unreadiness(ctx);
        return PROBLEM_NAMES.map((problem) => ({
          labels: { problem },
          value: Number(found.includes(problem)),
        }));
      },
      'problem',
    ),
    gauge(
      'peer_status',
      '1 for the status that each peer has.',
      async () =>
        (await peers.list()).map(({ name: peer, status }) => ({
          labels: { peer, status },
          value: 1,
        })),
      ...['peer', 'status'],
    ),
    gauge(
      'peer_pending',
      '1 for the reason why the copy of a peer does not grow.',
      async () =>
        (await peers.list()).flatMap(({ name: peer, standstill }) =>
          standstill === null
            ? []
            : { labels: { peer, reason: standstill.reason }, value: 1 },
        ),
      ...['peer', 'reason'],
    ),
    gauge(
      'peer_lag_seconds',
      'Age of the oldest known entry of a peer that is not mirrored yet.',
      async () =>
        (await peers.list()).map(({ name: peer, lag_ms: ms }) => ({
          labels: { peer },
          value: seconds(ms),
        })),
      'peer',
    ),
    gauge(
      'removals_unacknowledged',
      'Removals that a peer has not acknowledged for a day.',
      async () => {
        const rows = await unackedRemovals(reads, clock.now() - DAY_MS);
        return rows.map(({ name: peer, removals: value }) => ({
          labels: { peer },
          value,
        }));
      },
      'peer',
    ),
    gauge(
      'replica_serving',
      '1 while a replica answers reads; by its place in the setting.',
      async () =>
        (await standbys()).map((it) => of(it, it.state === 'serving')),
      'replica',
    ),
    gauge(
      'replica_status',
      '1 for what each replica is (docs/operate.md, Replicas).',
      async () =>
        (await standbys()).map(({ number, state: status }) => ({
          labels: { replica: String(number), status },
          value: 1,
        })),
      ...['replica', 'status'],
    ),
    gauge(
      'replica_behind_bytes',
      'What a replica has not replayed of the log of changes.',
      async () =>
        (await standbys()).flatMap((it) =>
          it.behindBytes === null ? [] : of(it, it.behindBytes),
        ),
      'replica',
    ),
    gauge(
      'replica_reads',
      'Statements that a replica has answered for this process.',
      async () => (await standbys()).map((it) => of(it, it.reads)),
      'replica',
    ),
    gauge(
      'primary_reads',
      'Statements of reads that the primary had to answer beside replicas.',
      async () =>
        replicas === null ? [] : plain((await replicas.look()).primaryReads),
    ),
    gauge('backup_age_seconds', 'Since the last backup.', async () =>
      age((await facts()).backup),
    ),
    gauge(
      'backup_verified_age_seconds',
      'Since the last trial restore of a backup.',
      async () => age((await facts()).verified),
    ),
    gauge('disk_free_bytes', 'Free on the disk of DATA_DIR.', async () => {
      const disk = await freeDisk(config.dataDir);
      return disk === null ? [] : plain(disk.bytes);
    }),
    gauge(
      'certificate_seconds_left',
      'Until the certificate of BASE_URL ends.',
      async () => {
        const end = await certificate();
        return end === null ? [] : plain(seconds(end - clock.now()));
      },
    ),
  ];
}

export function poolGauges(pressure: OpenDatabase['pressure']): NodeGauge[] {
  const gauge = (name: 'used' | 'waiting', help: string): NodeGauge => ({
    name: `board_pool_${name}`,
    help,
    labels: ['pool'],
    read: async () =>
      pressure().map(({ pool, ...it }) => ({
        labels: { pool },
        value: it[name],
      })),
  });
  return [
    gauge('used', 'Connections to the primary in use, of 7, 7 and 6.'),
    gauge('waiting', 'Statements that wait for a connection to the primary.'),
  ];
}
