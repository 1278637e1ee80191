import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Chart } from '../../../server/dashboard/commands/charts.js';
import { ask } from '../../api/ask.js';
import { Answered } from '../../parts/Answered.js';
import type { Line } from '../../parts/chart-scale.js';
import { count } from '../../parts/figures.js';
import { Facts, Section } from '../../parts/Page.js';
import { SpanChoice, useSpan } from '../../parts/SpanChoice.js';
import { isWorthAChart, TimeChart } from '../../parts/TimeChart.js';
import { plain } from '../../parts/words.js';
import { LagLines } from '../mesh/LagChart.js';

const MINUTE_MS = 60_000;

/** Separate scales, so that no line hides another. */
const GROUPS: readonly [title: string, names: readonly string[]][] = [
  ['Posts and votes', ['messages', 'up_votes', 'down_votes']],
  ['Readers and errors', ['sessions', 'readers', 'failed', 'refused']],
  ['Reports and decisions', ['reports', 'decisions']],
  ['Open items', ['open_reports', 'hidden_topics', 'open_polls']],
];
/** “Readers” waits at a time; the others are counts. */
const NAMES: Readonly<Record<string, string>> = {
  sessions: 'new sessions',
  readers: 'live connections',
  failed: 'failed requests (5xx)',
  refused: 'refused requests (4xx)',
};

type Group = [title: string, series: Chart['series']];

function groupsOf({ series }: Chart): Group[] {
  return GROUPS.map(([title, names]) => [
    title,
    Object.fromEntries(
      names.map((name) => [plain(NAMES[name] ?? name), series[name] ?? []]),
    ),
  ]);
}

export default function Charts() {
  const span = useSpan();
  const chart = useQuery({
    queryKey: ['overview.chart', { span }],
    queryFn: async () => {
      const read = await ask('overview.chart', { span });
      return { at: read.at, groups: groupsOf(read) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE_MS,
  });
  return (
    <Section title="Over time" actions={<SpanChoice />}>
      <Answered of={chart} what="the charts">
        {({ at, groups }) => (
          <>
            {[false, true].map((big) => (
              <div
                key={String(big)}
                className={big ? 'charts' : 'small-charts'}
              >
                {groups
                  .filter(([, series]) => isWorthAChart(series) === big)
                  .map(([name, series]) => (
                    <div key={name} className={big ? '' : 'figure-box'}>
                      <h3>{name}</h3>
                      <TimeChart
                        title={name}
                        at={at}
                        series={series}
                        small={<Sums of={series} />}
                      />
                    </div>
                  ))}
              </div>
            ))}
            <h3>How far behind the copies were</h3>
            <LagLines />
          </>
        )}
      </Answered>
    </Section>
  );
}

/** Shown by their newest value, others by their sum. */
const LEVELS = [
  'Live connections',
  'Open reports',
  'Hidden topics',
  'Open polls',
];

function Sums({ of }: { of: Chart['series'] }) {
  const figures = Object.entries(of).map(([label, line]) => [
    label,
    count(LEVELS.includes(label) ? newest(line) : sum(line)),
  ]);
  return <Facts of={Object.fromEntries(figures)} />;
}

const sum = (line: Line) =>
  line.reduce<number>((all, it) => all + (it ?? 0), 0);
const newest = (line: Line) => line.filter((it) => it !== null).at(-1) ?? 0;
