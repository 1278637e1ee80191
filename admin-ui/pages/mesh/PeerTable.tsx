import { Button } from '@mantine/core';
import { levelText } from '../../../mesh/peer-port.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { Tag } from '../../parts/Tag.js';
import { span, Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';
import { type Peer, peerTone } from './peers.js';

/** “ (98 %)” of its log is here. */
function wholeness({ mirrored_size: here, remote_size: all }: Peer): string {
  return all === 0 ? '' : ` (${Math.floor((100 * here) / all)} %)`;
}

type Props = { peers: readonly Peer[]; choose: (name: string) => void };

export function PeerTable({ peers, choose }: Props) {
  return (
    <Section title="Linked boards">
      <DataTable
        caption="Linked boards by name"
        data={peers}
        rowId={({ name }) => name}
        columns={{
          Board: ({ name }) => (
            <Button
              size="compact-xs"
              h="auto"
              py={3}
              onClick={() => choose(name)}
            >
              <Inert text={name} />
            </Button>
          ),
          Status: ({
            status,
            pending_identity: waits,
            pending_address,
            confirmed_us: confirmed,
            acked_size,
          }) => (
            <>
              <Tag tone={peerTone(status)}>{status}</Tag>{' '}
              {/* The document is a minute old; who cosigns our log knows us. */}
              {confirmed === false &&
              acked_size === 0 &&
              status !== 'pending' ? (
                <Tag tone="warn">Has not confirmed us</Tag>
              ) : null}{' '}
              {waits === null ? null : (
                <Tag tone="warn">
                  {pending_address === null
                    ? 'Key to confirm'
                    : 'Address to confirm'}
                </Tag>
              )}
            </>
          ),
          Trust: ({ trust }) => trust,
          Level: ({ level }) => levelText(level),
          Behind: ({
            lag_entries,
            lag_ms,
            last_success_at,
            status,
            standstill,
          }) =>
            standstill?.reason === 'new_key' ||
            standstill?.reason === 'log_ended'
              ? 'its log has ended'
              : last_success_at === null || status === 'unreachable'
                ? 'unknown'
                : lag_entries === 0
                  ? 'no'
                  : `${count(lag_entries)} entries, ${span(lag_ms)}`,
          'Copy of theirs': (it) =>
            `${count(it.mirrored_size)} of ${count(it.remote_size)}${wholeness(it)}`,
          'They have of ours': ({ acked_size }) => count(acked_size),
          'Last success': (it) => <Time at={it.last_success_at} none="never" />,
          'Last error': ({ last_error: error, last_success_at: success }) =>
            error === null || (success !== null && success > error.at) ? (
              'none since'
            ) : (
              <>
                <Inert text={plain(error.code)} />, <Time at={error.at} />
              </>
            ),
        }}
        figures={['They have of ours']}
      />
    </Section>
  );
}
