import type { ResponseFigures } from '../../../server/dashboard/schemas/scale-views.js';
import { DataTable } from '../../parts/DataTable.js';
import { Facts } from '../../parts/Facts.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { span } from '../../parts/time.js';
import { ACTION_WORDS } from '../../parts/words.js';

type Spread = ResponseFigures['to_decision'];

/** “median 3 min, nine of ten within 2 h”. */
function spread({ median_ms: median, p90_ms: p90 }: Spread): string {
  if (median === null || p90 === null) return 'nothing yet';
  return `median ${span(median)}, nine of ten within ${span(p90)}`;
}

/** How fast reports were answered in the last 30 days, and by whom. */
export function Response({ of: it }: { of: ResponseFigures }) {
  if (it.reports === 0 && it.decisions.length === 0) return null;
  const { hour, day, week, older } = it.open_by_age;
  return (
    <Section title="Answers to reports, 30 days">
      <div className="pair">
        <Facts
          of={{
            Reports: `${count(it.reports)}, ${count(it.claimed)} claimed, ${count(it.settled)} settled`,
            'To the first claim': spread(it.to_first_claim),
            'To the decision': spread(it.to_decision),
            'Open by age': `${count(hour)} up to an hour, ${count(day)} up to a day, ${count(week)} up to a week, ${count(older)} older`,
            Reversed: counted(it.reversals, 'decision'),
          }}
        />
        <DataTable
          caption="Decisions by action and operator"
          none="No decision in this time."
          data={it.decisions}
          rowId={({ action, operator }) => `${action} ${operator}`}
          columns={{
            'Action and operator': ({ action, operator }) => (
              <>
                {ACTION_WORDS[action]}, <Inert text={operator} />
              </>
            ),
            Decisions: ({ count: n }) => count(n),
          }}
          figures={['Decisions']}
        />
      </div>
    </Section>
  );
}
