import { Button, Textarea, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import type { UsefulnessSeen } from '../../../server/dashboard/commands/usefulness.js';
import { useMay } from '../../access/use-access.js';
import { ask, useAsk, useCommand, useRead } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/Dialog.js';
import { Form, useForm } from '../../parts/Form.js';
import { Inert } from '../../parts/Inert.js';
import { Block, Empty, exportsOf, Page, Section } from '../../parts/Page.js';
import { PagedList, usePages } from '../../parts/PagedList.js';
import { say } from '../../parts/say.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { TimeChart } from '../../parts/TimeChart.js';
import { plain } from '../../parts/words.js';
import { Metrics, numberOf } from './MetricTables.js';

export function UsefulnessPage() {
  const decides = useMay('moderator');
  const { data: board } = useAsk('usefulness.list', { limit: 1 });
  const period = board && firstPeriod(new Date(), board.began);
  const list = usePages(['usefulness.list'], (before?: number) =>
    ask('usefulness.list', { before }),
  );
  return (
    <Page
      title="Usefulness"
      about="The node computes the figures, an operator adds a note, an admin publishes. What is published is never changed."
    >
      {decides && period ? (
        <NewDraft period={period} done={list.refresh} />
      ) : null}
      <PagedList
        list={list}
        what="the reports"
        empty={
          <Empty title="No report yet.">
            {period === null
              ? 'A report is of whole days (UTC), and the first day of this board has not ended.'
              : 'Begin with the period above.'}
          </Empty>
        }
      >
        {(rows) => (
          <>
            <UsefulnessCharts reports={rows} />
            {rows.map((report) => (
              <ReportCard
                key={report.id}
                report={report}
                renew={list.refresh}
              />
            ))}
          </>
        )}
      </PagedList>
    </Page>
  );
}

/**
 * First days of the last and this month, in UTC; of a younger board the days
 * from its first message to today, and null on the first of them.
 */
function firstPeriod(now: Date, began: number | null) {
  const day = (months: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
      .toISOString()
      .slice(0, 10);
  const first =
    began === null ? '' : new Date(began).toISOString().slice(0, 10);
  const today = now.toISOString().slice(0, 10);
  if (first >= today) return null;
  if (first >= day(0)) return { from: first, to: today };
  return { from: first > day(-1) ? first : day(-1), to: day(0) };
}

type DraftProps = {
  period: { from: string; to: string };
  done: () => void;
};

function NewDraft({ period, done }: DraftProps) {
  const form = useForm({ ...period, note: '' });
  const draft = useCommand('usefulness.draft', ({ id }) => {
    say(`The draft ${id} is below: read it, then preview it.`);
    form.reset();
    done();
  });
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
            label="Until (last day excluded)"
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

const daysOf = ({ period: { start, end } }: UsefulnessSeen) =>
  [start.slice(0, 10), end.slice(0, 10)] as const;

function ReportCard({ report, renew }: Props) {
  const decides = useMay('moderator');
  const { id, note, operator, published_at: published } = report;
  return (
    <Section
      title={daysOf(report).join(' to ')}
      actions={
        <>
          <Tag tone={published === null ? 'warn' : 'good'}>
            {published === null ? 'Draft' : 'Published'}
          </Tag>
          {exportsOf(`do/usefulness/${id}?`, `report ${id} as `)}
        </>
      }
    >
      <p className="dim tight">
        Report {id}, by <Inert text={operator} />
        {published === null ? null : (
          <>
            , published <Time at={published} />,{' '}
            <a href="/api/usefulness">as everybody reads it</a>
          </>
        )}
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

const isEmpty = ({ metrics }: UsefulnessSeen): boolean =>
  ['topics', 'replies'].every((it) => numberOf(metrics, `content.${it}`) === 0);

function DraftActions({ report, renew }: Props) {
  const { id, changed_at: seen } = report;
  const [from, to] = daysOf(report);
  const admin = useMay('admin');
  const form = useForm({ note: report.note });
  const { note } = form.values;
  const preview = useRead('usefulness.preview');
  const compute = useCommand('usefulness.draft', () => {
    preview.reset();
    renew();
  });
  const ended = (how: string) => () => {
    say(`Report ${id} is ${how}.`);
    renew();
  };
  const publish = useCommand('usefulness.publish', ended('published'));
  const discard = useCommand('usefulness.discard', ended('discarded'));
  const { variables: of, data } = preview;
  const previewed = of?.note === note && of.seen === seen ? data : undefined;
  return (
    <div className="stack">
      <Textarea label="Public note" rows={3} {...form.field('note')} />
      <div className="row">
        <Button
          loading={compute.isPending}
          onClick={() => compute.mutate({ id, seen, note, from, to })}
        >
          Recalculate and keep the note
        </Button>
        <Button
          loading={preview.isPending}
          onClick={() => preview.mutate({ id, seen, note })}
        >
          Preview
        </Button>
        {admin && previewed !== undefined ? (
          <ConfirmButton
            label="Publish"
            busy={publish.isPending}
            act={() => publish.mutate({ id, seen, note })}
          >
            It is public at once, and nobody can change it afterwards.
          </ConfirmButton>
        ) : null}
        <ConfirmButton
          label="Discard"
          busy={discard.isPending}
          act={() => discard.mutate({ id, seen })}
        >
          The draft and its note are deleted.
        </ConfirmButton>
      </div>
      <p className="dim tight">
        {isEmpty(report)
          ? 'No topic or reply was published in that time: discard the draft, or choose other days. '
          : ''}
        {admin
          ? previewed === undefined && 'Preview it to publish.'
          : 'An admin publishes it.'}
      </p>
      <Failure
        error={compute.error ?? preview.error ?? publish.error ?? discard.error}
      />
      {previewed === undefined ? null : (
        <section className="preview" aria-label="Exact public preview">
          <h3>What everybody will see at /api/usefulness</h3>
          <p>
            <Inert text={previewed.note || 'Without a note.'} />
          </p>
          <p>With the figures above.</p>
          <details>
            <summary>As JSON</summary>
            <Block
              label="The report as JSON"
              text={JSON.stringify(previewed, null, 2)}
            />
          </details>
        </section>
      )}
    </div>
  );
}
