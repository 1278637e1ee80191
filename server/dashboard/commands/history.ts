import type { ChartInput, SamplesInput } from '../schemas/read-commands.js';
import type { LagChart, SamplePage } from '../schemas/views.js';
import type { Desk } from './action-context.js';
import { type Buckets, bucketsOf } from './buckets.js';

type Row = { name: string; bucket: number; value: number };
type Reads = Pick<Desk, 'reads'>;

// $1 start, $2 end, $3 step. The worst of a bucket is what it shows.
const LAGS = `SELECT name, at / $3::bigint AS bucket, max(value) AS value
  FROM figure_sample WHERE series = 'lag' AND at >= $1 AND at < $2
  GROUP BY 1, 2 ORDER BY 1`;

/** How far behind each linked board's copy was, in ms; null where unknown. */
export async function readLags(
  desk: Pick<Desk, 'reads' | 'clock'>,
  { span }: ChartInput,
): Promise<LagChart> {
  const buckets = bucketsOf(span, desk.clock.now());
  const rows = await desk.reads.query<Row>(LAGS, bounds(buckets));
  const boards = new Map<string, (number | null)[]>();
  for (const { name, bucket, value } of rows) {
    const line = boards.get(name) ?? buckets.at.map(() => null);
    line[bucket - buckets.first] = value;
    boards.set(name, line);
  }
  return { span, at: buckets.at, boards: Object.fromEntries(boards) };
}

function bounds({ from, to, step }: Buckets): number[] {
  return [from, to, step];
}

// $1 series, $2 name or null, $3 and $4 the range, $5 and $6 the row before.
const SAMPLES = `SELECT at, name, value FROM figure_sample
  WHERE series = $1 AND ($2::text IS NULL OR name = $2)
    AND at >= $3 AND at < $4 AND (at, name) > ($5, $6)
  ORDER BY at, name LIMIT $7`;

/**
 * The kept figures one by one, oldest first, for scripts (spec/operators.md
 * §3).
 */
export async function listSamples(
  { reads }: Reads,
  input: SamplesInput,
): Promise<SamplePage> {
  const { series, name = null, from, to, after, limit } = input;
  const end = to ?? Number.MAX_SAFE_INTEGER;
  const rows = await reads.query<SamplePage['data'][number]>(SAMPLES, [
    ...[series, name, from ?? 0, end],
    ...[after?.at ?? -1, after?.name ?? '', limit + 1],
  ]);
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const next =
    rows.length > limit && last !== undefined
      ? { at: last.at, name: last.name }
      : null;
  return { data, next };
}
