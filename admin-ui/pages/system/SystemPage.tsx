import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { useAsk } from '../../api/ask.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { count } from '../../parts/figures.js';
import { NewHint } from '../../parts/NewHint.js';
import { Block, Facts, Page, Section } from '../../parts/Page.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { useOverview } from '../../shell/use-overview.js';
import { Alerts } from '../overview/Alerts.js';
import { Jobs, Limits, Replicas, TableSizes } from './tables.js';

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
    <Section title="Versions">
      <Facts
        of={{
          Board: it.board.name,
          Software: it.release,
          Node: it.node,
          'Node is old':
            it.node_warning &&
            `${it.node_warning.detail}; ${it.node_warning.fix}`,
          PostgreSQL: it.database,
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
          No backup was made by this node. If another tool makes them, see that
          somebody restores one now and then.
        </p>
      ) : (
        <Facts
          of={{
            'Last made': <Time at={backups.at} exact />,
            'Last verified restore': <Time at={verified} exact none="never" />,
          }}
        />
      )}
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
