import { Button } from '@mantine/core';
import type { CommandAnswers } from '../../../server/dashboard/schemas/commands.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { span } from '../../parts/time.js';
import { peerTone } from './peer-tone.js';

export type Peer = CommandAnswers['peer.read'];

type Props = { peers: readonly Peer[]; choose: (name: string) => void };

export function PeerTable({ peers, choose }: Props) {
  return (
    <Section title="Linked boards">
      <DataTable
        caption="Linked boards by name"
        data={peers}
        rowId={({ name }) => name}
        columns={[
          {
            head: 'Board',
            cell: ({ name }) => (
              <Button
                size="compact-xs"
                h="auto"
                variant="default"
                onClick={() => choose(name)}
              >
                <Inert text={name} />
              </Button>
            ),
          },
          {
            head: 'Status',
            cell: ({ status, pending_identity: waits, pending_address }) => (
              <>
                <Tag tone={peerTone(status)}>{status}</Tag>{' '}
                {waits === null ? null : (
                  <Tag tone="warn">
                    {pending_address === null
                      ? 'Key to confirm'
                      : 'Address to confirm'}
                  </Tag>
                )}
              </>
            ),
          },
          { head: 'Trust', cell: ({ trust }) => trust },
          {
            head: 'Behind',
            cell: ({ lag_entries, lag_ms }) =>
              lag_entries === 0
                ? 'no'
                : `${count(lag_entries)} entries, ${span(lag_ms)}`,
          },
          {
            head: 'Copy of theirs',
            cell: (it) =>
              `${count(it.mirrored_size)} of ${count(it.remote_size)}`,
          },
          {
            head: 'They have of ours',
            cell: ({ acked_size }) => count(acked_size),
            figure: true,
          },
          {
            head: 'Last success',
            cell: ({ last_success_at: at }) =>
              at === null ? 'never' : <Time at={at} />,
          },
          {
            head: 'Last error',
            cell: ({ last_error: error }) =>
              error === null ? (
                'none'
              ) : (
                <>
                  <Inert text={error.code} />, <Time at={error.at} />
                </>
              ),
          },
        ]}
      />
    </Section>
  );
}
