import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { useAsk } from '../../api/ask.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { BACKUP, CommandLine, IN_CHECKOUT } from '../../parts/CopyButton.js';
import { DataTable } from '../../parts/DataTable.js';
import { bytes, count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Block, Facts, NewHint, Page, Section } from '../../parts/Page.js';
import { Tag } from '../../parts/Tag.js';
import { span, Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';
import { useOverview } from '../../shell/use-overview.js';
import { Alerts } from '../overview/Alerts.js';

const MINUTE_MS = 60_000;

export function SystemPage() {
  // Jobs that find nothing send no event.
  const system = useAsk('system.read', {}, { refetchInterval: MINUTE_MS });
  const overview = useOverview();
  const hints = useHints(['job', 'alert'], system.refetch);
  return (
    <Page title="System">
      <NewHint {...hints} />
      <Alerts alerts={overview.data?.alerts ?? []} />
      <Answered of={system} what="the state of the node">
        {(it) => (
          <>
            <Versions of={it} />
            <Backups of={it} />
            <LogHead of={it} />
            <Replicas of={it} />
            <Jobs of={it} />
            <Limits of={it} />
            <TableSizes of={it} />
          </>
        )}
      </Answered>
    </Page>
  );
}

function Versions({ of: it }: { of: CommandAnswers['system.read'] }) {
  return (
    <Section title="Versions and machine">
      <Facts
        of={{
          Board: it.board.name,
          Software: it.release,
          Released: it.released_at && <Time at={it.released_at} />,
          Node: it.node,
          'Node is old':
            it.node_warning &&
            `${it.node_warning.detail}; ${it.node_warning.fix}`,
          PostgreSQL: it.database,
          'Running for': span(1000 * it.uptime_s),
          Memory: bytes(it.memory_bytes),
          'Free disk':
            it.disk_free &&
            `${bytes(it.disk_free.bytes)}, ${Math.round(100 * it.disk_free.share)} %`,
        }}
      />
      <details>
        <summary>{it.migrations.length} migrations have run</summary>
        <ol>
          {it.migrations.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ol>
      </details>
    </Section>
  );
}

/** Only a restored backup counts as one. */
function Backups({ of: { backups } }: { of: CommandAnswers['system.read'] }) {
  const verified = backups?.verified_at ?? null;
  const made = backups === null ? 'None known' : 'Never restored';
  return (
    <Section
      title="Backups"
      actions={
        <Tag tone={verified === null ? 'warn' : 'good'}>
          {verified === null ? made : 'Restored and checked'}
        </Tag>
      }
    >
      {backups === null ? (
        <p className="tight">
          No backup was made by this node. If another tool makes them, test a
          restore regularly.
        </p>
      ) : (
        <Facts
          of={{
            'Last made': <Time at={backups.at} exact />,
            'Last verified restore': <Time at={verified} exact none="never" />,
          }}
        />
      )}
      <div className="stack">
        <p className="tight">Make one and test it. {IN_CHECKOUT}</p>
        <CommandLine text={BACKUP} />
        <p className="tight">
          Each night, as a line of crontab, with the folder in which the board
          was started:
        </p>
        <CommandLine
          text={`0 3 * * * cd <folder> && ${BACKUP.replaceAll('%', '\\%')}`}
        />
      </div>
    </Section>
  );
}

function LogHead({ of: { log } }: { of: CommandAnswers['system.read'] }) {
  return (
    <Section title="Log" className="stack">
      <Facts
        of={{
          Origin: log.origin,
          Entries: count(log.size),
          'Last entry': <Time at={log.at || null} exact none="none yet" />,
        }}
      />
      <Block label="The signed head" text={log.checkpoint} />
    </Section>
  );
}

type Props = { of: CommandAnswers['system.read'] };

/** Others say what they do. */
const JOBS: Readonly<Record<string, string>> = {
  watch: 'Alerts, figures and lapsed claims',
  sweep: 'Deletion of what has expired',
};

function Jobs({ of: { jobs } }: Props) {
  return (
    <Section title="Jobs">
      <DataTable
        caption="The node’s own work"
        none="None has run yet."
        data={jobs}
        rowId={({ name }) => name}
        columns={{
          Job: ({ name }) => JOBS[name] ?? plain(name),
          'Last run': ({ started_at }) => <Time at={started_at} />,
          Took: ({ duration_ms }) => `${count(duration_ms)} ms`,
          Rows: ({ rows }) => count(rows),
          Result: ({ error, failures }) =>
            error === null ? (
              <Tag tone="good">Fine</Tag>
            ) : (
              <>
                <Tag tone="bad">Failed {failures} times</Tag>{' '}
                <Inert text={error} />
              </>
            ),
        }}
        figures={['Took', 'Rows']}
      />
    </Section>
  );
}

function Replicas({ of: { replicas } }: Props) {
  if (replicas.length === 0) return null;
  return (
    <Section title="Replicas">
      <DataTable
        caption="Standbys that answer reads, as this process sees them"
        none="None is named."
        data={replicas}
        rowId={({ number }) => String(number)}
        columns={{
          Replica: ({ number }) => number,
          State: ({ state, sentence }) => (
            <>
              <Tag tone={state === 'serving' ? 'good' : 'warn'}>
                {state.replaceAll('_', ' ')}
              </Tag>{' '}
              {sentence}
            </>
          ),
          Behind: ({ behind_bytes: behind }) =>
            behind === null ? 'unknown' : bytes(behind),
          Answered: ({ reads }) => count(reads),
        }}
        figures={['Behind', 'Answered']}
      />
    </Section>
  );
}

/** Changed limits at once, all on request. */
function Limits({ of: { limits } }: Props) {
  const own = limits.filter((it) => it.value !== it.default);
  return (
    <Section title="Limits in force">
      {own.length === 0 ? (
        <p className="tight">All as the software brings them.</p>
      ) : (
        <LimitTable caption="Limits of this node’s own" limits={own} />
      )}
      <details>
        <summary>All {limits.length} limits</summary>
        <LimitTable caption="Limits" limits={limits} />
      </details>
    </Section>
  );
}

type LimitProps = {
  caption: string;
  limits: CommandAnswers['system.read']['limits'];
};

function LimitTable({ caption, limits }: LimitProps) {
  return (
    <DataTable
      caption={caption}
      data={limits}
      rowId={({ name }) => name}
      columns={{
        Limit: ({ name }) => plain(name),
        Value: ({ value }) => count(value),
        Default: (it) =>
          it.value === it.default ? 'the same' : count(it.default),
      }}
      figures={['Value', 'Default']}
    />
  );
}

function TableSizes({ of: { tables } }: Props) {
  const total = tables.reduce((sum, it) => sum + it.bytes, 0);
  return (
    <Section title="Database">
      <p className="tight">{bytes(total)} in all.</p>
      <details>
        <summary>{tables.length} tables</summary>
        <DataTable
          caption="Tables, the largest first"
          data={tables}
          rowId={({ name }) => name}
          columns={{
            Table: ({ name }) => plain(name),
            Size: (it) => bytes(it.bytes),
            'Rows, about': ({ rows }) => count(rows),
          }}
          figures={['Size', 'Rows, about']}
        />
      </details>
    </Section>
  );
}
