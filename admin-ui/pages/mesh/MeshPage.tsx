import { TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  faultText,
  levelText,
  measuredLag,
  serves,
} from '../../../mesh/peer-port.js';
import { useMay } from '../../access/use-access.js';
import { useAsk } from '../../api/ask.js';
import { isRefusal } from '../../api/request.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { DataTable } from '../../parts/DataTable.js';
import { Form, useForm } from '../../parts/Form.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import {
  Block,
  Empty,
  Facts,
  NewHint,
  Page,
  Section,
} from '../../parts/Page.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { useAddress } from '../../shell/use-address.js';
import { ConfirmKey, Steps } from './ConfirmKey.js';
import { EvidenceList } from './EvidenceList.js';
import { LagChart } from './LagChart.js';
import {
  HideMirrored,
  PeerActions,
  PeerLimits,
  PeerTrust,
} from './PeerActions.js';
import { PolicyPanel } from './PolicyPanel.js';
import { behindText, type Peer, peerTone, usePeerCommand } from './peers.js';
import { FullKey, OwnKey, SendThem } from './SendThem.js';

export function MeshPage() {
  const { search, change } = useAddress();
  const peers = useAsk('peer.list', {});
  const admin = useMay('admin');
  const hints = useHints(['peer'], peers.refetch, {
    readAt: peers.dataUpdatedAt,
  });
  const chosen = peers.data?.find(({ name }) => name === search.board);
  return (
    <Page
      title="Mesh"
      about="Linked boards keep copies of each other and watch each other’s logs."
    >
      <NewHint {...hints} />
      {isRefusal(peers.error) && peers.error.status === 404 ? (
        <Empty title="This node runs without the mesh." />
      ) : (
        <Answered of={peers} what="the linked boards">
          {(data) => (
            <>
              <OwnKey />
              {data.length === 0 ? (
                <Empty title="No board is linked yet.">
                  Add one by its address; nothing is exchanged before its key is
                  confirmed.
                </Empty>
              ) : (
                <PeerTable peers={data} choose={(board) => change({ board })} />
              )}
              {chosen === undefined ? null : (
                <PeerPanel key={chosen.name} peer={chosen} />
              )}
            </>
          )}
        </Answered>
      )}
      <LagChart board={chosen?.name} />
      {admin ? <AddPeer /> : null}
      <Unacknowledged />
      <EvidenceList />
      {admin ? <PolicyPanel /> : null}
    </Page>
  );
}

function AddPeer() {
  const form = useForm({ url: '' });
  const [sent, setSent] = useState('');
  const add = usePeerCommand('peer.add', form.reset);
  const send = () => {
    const { url: text } = form.values;
    setSent(text.includes('--confirm') ? text : '');
    add.mutate({ url: /https?:\/\/\S+/.exec(text)?.[0] ?? text });
  };
  return (
    <Section title="Link a board" className="stack">
      {add.data === undefined ? <Steps at={0} /> : null}
      <Form
        grid
        label="Fetch its identity"
        size="sm"
        send={send}
        work={add}
        form={form}
      >
        <TextInput
          label="Address of the board"
          description="Or the command that its operators sent, with their key"
          inputMode="url"
          placeholder="https://board.example"
          required
          maxLength={1000}
          {...form.field('url')}
        />
      </Form>
      {add.data === undefined ? null : (
        <ConfirmKey peer={add.data} sent={sent} />
      )}
    </Section>
  );
}

function Unacknowledged() {
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

/** “ (98 %)” of its log is here. */
function wholeness({ mirrored_size: here, remote_size: all }: Peer): string {
  return all === 0 ? '' : ` (${Math.floor((100 * here) / all)} %)`;
}

type Props = { peers: readonly Peer[]; choose: (name: string) => void };

function PeerTable({ peers, choose }: Props) {
  return (
    <Section title="Linked boards">
      <DataTable
        caption="Linked boards by name"
        data={peers}
        rowId={({ name }) => name}
        columns={{
          Board: ({ name }) => (
            <button type="button" className="link" onClick={() => choose(name)}>
              <Inert text={name} />
            </button>
          ),
          Status: (it) => (
            <>
              <Tag tone={peerTone(it.status)}>{it.status}</Tag>{' '}
              {/* The document is a minute old; who cosigns our log knows us. */}
              {it.confirmed_us === false &&
              it.acked_size === 0 &&
              serves(it, 'witness') &&
              it.status !== 'pending' ? (
                <Tag tone="warn">Has not confirmed us</Tag>
              ) : null}{' '}
              {it.pending_identity === null ? null : (
                <Tag tone="warn">
                  {it.pending_address === null
                    ? 'Key to confirm'
                    : 'Address to confirm'}
                </Tag>
              )}
            </>
          ),
          Trust: ({ trust }) => trust,
          Level: ({ level }) => levelText(level),
          Behind: (it) =>
            it.last_success_at === null
              ? 'unknown'
              : behindText(it.standstill?.reason, measuredLag(it)),
          'Copy of theirs': (it) =>
            `${count(it.mirrored_size)} of ${count(it.remote_size)}${wholeness(it)}`,
          'They have of ours': ({ acked_size }) => count(acked_size),
          'Last success': (it) => <Time at={it.last_success_at} none="never" />,
          'Last error': ({ last_error: error, last_success_at: success }) =>
            error === null || (success !== null && success > error.at) ? (
              'none'
            ) : (
              <>
                <Inert text={faultText(error.code)} />, <Time at={error.at} />
              </>
            ),
        }}
        figures={['They have of ours']}
      />
    </Section>
  );
}

function PeerPanel({ peer }: { peer: Peer }) {
  const admin = useMay('admin');
  return (
    <Section
      title={<Inert text={peer.name} />}
      actions={<Tag tone={peerTone(peer.status)}>{peer.status}</Tag>}
    >
      <div className="stack">
        <PeerFacts peer={peer} />
        {peer.status === 'pending' || peer.status === 'blocked' ? null : (
          <SendThem peer={peer} />
        )}
        {admin ? (
          <>
            <ConfirmKey peer={peer} />
            <PeerActions peer={peer} />
            <PeerTrust peer={peer} />
            <PeerLimits peer={peer} />
            <HideMirrored board={peer.name} />
          </>
        ) : null}
        <Block
          heading
          label="The last checkpoint of its log"
          text={peer.last_checkpoint ?? 'None has been seen.'}
        />
        <details>
          <summary>Its identity</summary>
          <Block heading label="The pinned identity" text={peer.identity} />
        </details>
      </div>
    </Section>
  );
}

function PeerFacts({ peer: it }: { peer: Peer }) {
  return (
    <Facts
      of={{
        Address: <Inert text={it.base_url} />,
        'Log key': <FullKey vkey={it.log_vkey} />,
        'It says that it has':
          it.messages === null
            ? 'unknown: it does not say'
            : `${count(it.messages.signed)} signed texts, ${count(it.messages.guest)} of guests`,
        Because: it.status_reason && <Inert text={it.status_reason} />,
        'They have confirmed': counted(it.acked_size, 'entry', 'entries'),
        '95 % of entries applied within':
          it.apply_ms_p95 === null
            ? 'not measured yet'
            : `${it.apply_ms_p95} ms`,
        'Invalid entries, refused': count(it.invalid_entries),
        'Texts waiting': count(it.withheld_contents),
        'Last attempt': (
          <>
            <Time at={it.last_attempt_at} none="never" />
            {it.retry_at === null ? '' : ', again '}
            <Time at={it.retry_at} />
          </>
        ),
        'Evidence against it': it.evidence.join(', ') || 'none',
      }}
    />
  );
}
