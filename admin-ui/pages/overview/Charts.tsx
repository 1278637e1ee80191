import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Chart } from '../../../server/dashboard/schemas/views.js';
import { ask } from '../../api/ask.js';
import { Answered } from '../../parts/Answered.js';
import { Section } from '../../parts/Section.js';
import { SpanChoice, useSpan } from '../../parts/SpanChoice.js';
import { TimeChart } from '../../parts/TimeChart.js';
import { plain } from '../../parts/words.js';
import { LagLines } from '../mesh/LagChart.js';

const MINUTE_MS = 60_000;

/** Each in a chart of its own scale, so that no line hides another. */
const GROUPS: readonly [title: string, names: readonly string[]][] = [
  ['Posts and votes', ['messages', 'up_votes', 'down_votes']],
  ['Readers and errors', ['sessions', 'readers', 'errors']],
  ['Reports and decisions', ['reports', 'decisions']],
  ['Open items', ['open_reports', 'hidden_topics', 'open_polls']],
];
/** Readers is how many wait at a time; the others are counted. */
const NAMES: Readonly<Record<string, string>> = {
  sessions: 'new sessions',
  readers: 'readers waiting',
};

function groups({ series }: Chart): [string, Chart['series']][] {
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
      return { at: read.at, groups: groups(read) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE_MS,
  });
  return (
    <Section title="Over time" actions={<SpanChoice />}>
      <Answered of={chart} what="the charts">
        {(it) => (
          <div className="charts">
            {it.groups.map(([name, series]) => (
              <div key={name}>
                <h3>{name}</h3>
                <TimeChart title={name} at={it.at} series={series} />
              </div>
            ))}
            <div>
              <h3>How far behind the copies were</h3>
              <LagLines />
            </div>
          </div>
        )}
      </Answered>
    </Section>
  );
}
