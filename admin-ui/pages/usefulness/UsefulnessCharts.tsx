import { useMemo } from 'react';
import type { UsefulnessSeen } from '../../../server/dashboard/commands/usefulness.js';
import { Section } from '../../parts/Section.js';
import { TimeChart } from '../../parts/TimeChart.js';
import { plain } from '../../parts/words.js';
import { numberOf } from './metrics.js';

const GROUPS: readonly [title: string, names: readonly string[]][] = [
  ['Keys', ['keys.seen', 'keys.returned']],
  ['Messages', ['topics', 'replies', 'answered_questions']],
  ['Networks a day', ['network_days.total', 'network_days.affected']],
];

type Props = { reports: readonly UsefulnessSeen[] };

/** Only published reports without overlap. */
export function UsefulnessCharts({ reports }: Props) {
  const charts = useMemo(() => {
    const shown = reports
      .filter(({ published_at }) => published_at !== null)
      .sort((a, b) => a.period.start.localeCompare(b.period.start));
    const at = shown.map(({ period }) => Date.parse(period.start));
    return GROUPS.map(([title, names]) => ({
      title,
      at,
      series: Object.fromEntries(
        names.map((name) => [
          plain(name.split('.').at(-1) ?? name),
          shown.map(({ metrics }) => numberOf(metrics, name)),
        ]),
      ),
    }));
  }, [reports]);
  if ((charts[0]?.at.length ?? 0) < 2) {
    return (
      <p className="dim tight">
        Trends appear after the second published report.
      </p>
    );
  }
  return (
    <Section title="Trends">
      <div className="charts">
        {charts.map((it) => (
          <div key={it.title}>
            <h3>{it.title}</h3>
            <TimeChart
              {...it}
              fewest={2}
              small={<p className="dim tight">None in any report.</p>}
            />
          </div>
        ))}
      </div>
    </Section>
  );
}
