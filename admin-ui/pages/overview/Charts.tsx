import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Chart } from '../../../server/admin/events/views.js';
import { ask } from '../../api/ask.js';
import { Answered } from '../../parts/Answered.js';
import { Section } from '../../parts/Section.js';
import { TimeChart } from '../../parts/TimeChart.js';
import { oneOf, useAddress } from '../../shell/use-address.js';

const SPANS = ['hour', 'day', 'month'] as const;
const WORDS = { hour: 'Hour', day: 'Day', month: '30 days' };
const MINUTE_MS = 60_000;

/** Each in a chart of its own scale, so that no line hides another. */
function groups({ series }: Chart): [string, Chart['series']][] {
  const pick = (...names: string[]) =>
    Object.fromEntries(
      Object.entries(series).filter(([name]) => names.includes(name)),
    );
  const all: [string, Chart['series']][] = [
    ['Posts and votes', pick('messages', 'up_votes', 'down_votes')],
    ['Reports and decisions', pick('reports', 'decisions')],
    ['Sessions and errors', pick('sessions', 'errors')],
  ];
  return all.filter(([, lines]) => Object.keys(lines).length > 0);
}

export default function Charts() {
  const { search, change } = useAddress();
  const span = oneOf(search.span, SPANS) ?? 'day';
  const chart = useQuery({
    queryKey: ['overview.chart', { span }],
    queryFn: () => ask('overview.chart', { span }),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE_MS,
  });
  return (
    <Section
      title="Over time"
      actions={SPANS.map((it) => (
        <Button
          key={it}
          size="xs"
          variant={it === span ? 'filled' : 'default'}
          aria-pressed={it === span}
          onClick={() => change({ span: it })}
        >
          {WORDS[it]}
        </Button>
      ))}
    >
      <Answered of={chart} what="the charts">
        {(it) => (
          <>
            {groups(it).map(([name, series]) => (
              <div key={name}>
                <h3>{name}</h3>
                <TimeChart title={name} at={it.at} series={series} />
              </div>
            ))}
          </>
        )}
      </Answered>
    </Section>
  );
}
