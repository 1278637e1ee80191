import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../server/dashboard/schemas/views.js';
import { DataTable } from '../../parts/DataTable.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { span } from '../../parts/time.js';
import { peerTone } from '../mesh/peer-tone.js';

export function PeerLags({ peers }: { peers: Overview['peers'] }) {
  return (
    <Section title="Linked boards">
      {peers.length === 0 ? (
        <p className="dim tight">None is linked.</p>
      ) : (
        <DataTable
          caption="Linked boards and how far behind their copies are"
          data={peers}
          rowId={({ name }) => name}
          columns={[
            {
              head: 'Board',
              cell: ({ name }) => (
                <Link to="/mesh" search={{ board: name } as never}>
                  <Inert text={name} />
                </Link>
              ),
            },
            {
              head: 'Status',
              cell: ({ status }) => <Tag tone={peerTone(status)}>{status}</Tag>,
            },
            {
              head: 'Behind',
              cell: ({ lag_ms }) => (lag_ms === 0 ? 'no' : span(lag_ms)),
            },
          ]}
        />
      )}
    </Section>
  );
}
