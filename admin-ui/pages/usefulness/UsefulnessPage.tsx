import { Textarea, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import type { UsefulnessSeen } from '../../../server/dashboard/commands/usefulness.js';
import { useMay } from '../../access/use-access.js';
import { ask, useCommand } from '../../api/ask.js';
import { Form, useForm } from '../../parts/Form.js';
import { Inert } from '../../parts/Inert.js';
import { Empty, Page, Section } from '../../parts/Page.js';
import { PagedList, usePages } from '../../parts/PagedList.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { TimeChart } from '../../parts/TimeChart.js';
import { plain } from '../../parts/words.js';
import { DraftActions } from './DraftActions.js';
import { Metrics } from './MetricTables.js';
import { numberOf } from './metrics.js';

export function UsefulnessPage() {
  const decides = useMay('moderator');
  const list = usePages(['usefulness.list'], (before?: number) =>
    ask('usefulness.list', { before }),
  );
  return (
    <Page
      title="Usefulness"
      about="The node computes the figures, an operator adds a note, an admin publishes. What is published is never changed."
    >
      {decides ? <NewDraft done={list.renew} /> : null}
      <PagedList
        list={list}
        what="the reports"
        empty={
          <Empty title="No report yet.">Begin with the last whole month.</Empty>
        }
      >
        {(rows) => (
          <>
            <UsefulnessCharts reports={rows} />
            {rows.map((report) => (
              <ReportCard key={report.id} report={report} renew={list.renew} />
            ))}
          </>
        )}
      </PagedList>
    </Page>
  );
}

/** First days of the last and this month, in UTC. */
function lastMonth(now: Date): { from: string; to: string } {
  const day = (months: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
      .toISOString()
      .slice(0, 10);
  return { from: day(-1), to: day(0) };
}

function NewDraft({ done }: { done: () => void }) {
  const form = useForm({ ...lastMonth(new Date()), note: '' });
  const draft = useCommand('usefulness.draft', done);
  return (
    <Section title="New draft">
      <Form
        label="Compute the figures"
        size="sm"
        w="fit-content"
        send={() => draft.mutate(form.values)}
        work={draft}
        form={form}
      >
        <div className="filters">
          <TextInput
            label="From (UTC)"
            type="date"
            required
            {...form.field('from')}
          />
          <TextInput
            label="To, not included (UTC)"
            type="date"
            required
            {...form.field('to')}
          />
        </div>
        <Textarea
          label="Public note"
          description="What the figures do not say. It can be changed until it is published."
          rows={3}
          {...form.field('note')}
        />
      </Form>
    </Section>
  );
}

type Props = { report: UsefulnessSeen; renew: () => void };

function ReportCard({ report, renew }: Props) {
  const decides = useMay('moderator');
  const { id, period, note, operator, published_at: published } = report;
  const day = (text: string) => text.slice(0, 10);
  return (
    <Section
      title={`${day(period.start)} to ${day(period.end)}`}
      actions={
        <>
          <Tag tone={published === null ? 'warn' : 'good'}>
            {published === null ? 'Draft' : 'Published'}
          </Tag>
          {(['csv', 'json'] as const).map((format) => (
            <a
              key={format}
              href={`/admin/api/do/usefulness/${id}?format=${format}`}
              download
              aria-label={`Export report ${id} as ${format.toUpperCase()}`}
            >
              {format.toUpperCase()}
            </a>
          ))}
        </>
      }
    >
      <p className="dim tight">
        Report {id}, by <Inert text={operator} />
        {published === null ? '' : ', published '}
        <Time at={published} />
      </p>
      {note === '' ? null : (
        <p>
          <Inert text={note} />
        </p>
      )}
      <Metrics of={report} />
      {published === null && decides ? (
        <DraftActions report={report} renew={renew} />
      ) : null}
    </Section>
  );
}

const GROUPS: readonly [title: string, names: readonly string[]][] = [
  ['Keys', ['keys.seen', 'keys.returned']],
  ['Messages', ['topics', 'replies', 'answered_questions']],
  ['Networks a day', ['network_days.total', 'network_days.affected']],
];

/** Only published reports without overlap. */
function UsefulnessCharts({ reports }: { reports: readonly UsefulnessSeen[] }) {
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
