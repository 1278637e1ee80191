import type { PeerDesk } from '../../../mesh/mesh-ports.js';
import { DAY_MS } from '../../clock.js';
import type { Sql } from '../../db/sql.js';
import type { SampledSeries } from '../schemas/read-commands.js';
import type { Overview } from '../schemas/views.js';
import type { Desk } from './action-context.js';
import { readOverview } from './overview.js';

const MINUTE_MS = 60_000;
/** How far apart rows are once they are a day old; the index knows it too. */
const COARSE_MS = 900_000;
const KEPT_MS = 30 * DAY_MS;
/** A board nobody cares to follow is behind for ever. */
const NOT_FOLLOWED = ['pending', 'blocked'];

type Sample = [series: SampledSeries, name: string, value: number];

// Two looks at one minute leave the higher figure.
const KEEP = `
  INSERT INTO figure_sample AS s (at, series, name, value)
  SELECT $1, it.series, it.name, it.value
  FROM unnest($2::text[], $3::text[], $4::bigint[]) AS it (series, name, value)
  ON CONFLICT (at, series, name)
    DO UPDATE SET value = greatest(s.value, excluded.value)`;

const THIN = `
  WITH fine AS (
    DELETE FROM figure_sample WHERE at % 900000 <> 0 AND at < $1
    RETURNING at, series, name, value)
  INSERT INTO figure_sample AS s (at, series, name, value)
  SELECT at - at % 900000, series, name, max(value) FROM fine GROUP BY 1, 2, 3
  ON CONFLICT (at, series, name)
    DO UPDATE SET value = greatest(s.value, excluded.value)`;

const FORGET = 'DELETE FROM figure_sample WHERE at < $1';

/**
 * Keeps the figures of this minute for the charts, and makes those of a day
 * ago one for each quarter of an hour; after 30 days they are deleted. Answers
 * how many figures were kept.
 */
export async function sampleFigures(
  desk: Desk,
  peers: PeerDesk | null,
): Promise<number> {
  const answers = desk.config.roles.includes('api');
  const samples = samplesOf(await readOverview(desk, peers), answers);
  const now = desk.clock.now();
  await keep(desk.writes, now - (now % MINUTE_MS), samples);
  const dayAgo = now - DAY_MS;
  await desk.writes.query(THIN, [dayAgo - (dayAgo % COARSE_MS)]);
  await desk.writes.query(FORGET, [now - KEPT_MS]);
  return samples.length;
}

/** Readers wait at a process that answers them; at others nobody does. */
function samplesOf(it: Overview, answers: boolean): Sample[] {
  const followed = it.peers.filter(
    ({ status }) => !NOT_FOLLOWED.includes(status),
  );
  return [
    ...(answers ? [['readers', '', it.readers.waiting] as Sample] : []),
    ['sessions', '', it.readers.sessions_today],
    ['errors', '', it.errors_today],
    ['open_reports', '', it.reports.received + it.reports.in_review],
    ['hidden_topics', '', it.hidden_topics],
    ['open_polls', '', it.polls.open],
    ...followed.map(({ name, lag_ms }): Sample => ['lag', name, lag_ms]),
  ];
}

async function keep(
  sql: Sql,
  at: number,
  samples: readonly Sample[],
): Promise<void> {
  await sql.query(KEEP, [
    at,
    samples.map(([series]) => series),
    samples.map(([, name]) => name),
    samples.map(([, , value]) => value),
  ]);
}
