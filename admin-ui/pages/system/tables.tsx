import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { DataTable } from '../../parts/DataTable.js';
import { bytes, count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

type Props = { of: CommandAnswers['system.read'] };

export function Jobs({ of: { jobs } }: Props) {
  return (
    <Section title="Jobs">
      <DataTable
        caption="The node’s own work"
        none="None has run yet."
        data={jobs}
        rowId={({ name }) => name}
        columns={{
          Job: ({ name }) => name,
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

export function Replicas({ of: { replicas } }: Props) {
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
export function Limits({ of: { limits } }: Props) {
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
        Limit: ({ name }) => name,
        Value: ({ value }) => count(value),
        Default: (it) =>
          it.value === it.default ? 'the same' : count(it.default),
      }}
      figures={['Value', 'Default']}
    />
  );
}

export function TableSizes({ of: { tables } }: Props) {
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
            Table: ({ name }) => name,
            Size: (it) => bytes(it.bytes),
            'Rows, about': ({ rows }) => count(rows),
          }}
          figures={['Size', 'Rows, about']}
        />
      </details>
    </Section>
  );
}
