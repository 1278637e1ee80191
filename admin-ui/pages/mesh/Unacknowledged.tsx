import { Link } from '@tanstack/react-router';
import { useAsk } from '../../api/use-ask.js';
import { Answered } from '../../parts/Answered.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Time } from '../../parts/Time.js';

/** Boards that may still show what this one removed. */
export function Unacknowledged() {
  const list = useAsk('peer.unacknowledged', {});
  return (
    <Section title="Removals that are not acknowledged">
      <Answered of={list} what="the removals">
        {({ data }) => (
          <DataTable
            caption="Boards that have not acknowledged removals"
            none="Every board that keeps a copy of ours has acknowledged every removal."
            data={data}
            rowId={({ board }) => board}
            columns={{
              Board: ({ board }) => <Inert text={board} />,
              Removals: ({ removals }) => count(removals),
              'The oldest': ({ message_id: id }) => (
                <Link to="/item/$subject" params={{ subject: `message:${id}` }}>
                  Message {id}
                </Link>
              ),
              Since: ({ since }) => <Time at={since} />,
            }}
            figures={['Removals']}
          />
        )}
      </Answered>
    </Section>
  );
}
