import { TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../access/use-access.js';
import { useAsk } from '../../api/ask.js';
import { isRefusal } from '../../api/request.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { DataTable } from '../../parts/DataTable.js';
import { Form, useForm } from '../../parts/Form.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { NewHint } from '../../parts/NewHint.js';
import { Empty, Page, Section } from '../../parts/Page.js';
import { Time } from '../../parts/Time.js';
import { useAddress } from '../../shell/use-address.js';
import { ConfirmKey } from './ConfirmKey.js';
import { EvidenceList } from './EvidenceList.js';
import { LagChart } from './LagChart.js';
import { Steps } from './LinkSteps.js';
import { PeerPanel } from './PeerPanel.js';
import { PeerTable } from './PeerTable.js';
import { PolicyPanel } from './PolicyPanel.js';
import { usePeerCommand } from './peers.js';
import { OwnKey } from './SendThem.js';

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
  const add = usePeerCommand('peer.add', form.reset);
  return (
    <Section title="Link a board">
      {add.data === undefined ? <Steps at={0} /> : null}
      <Form
        grid
        label="Fetch its identity"
        size="sm"
        send={() => add.mutate(form.values)}
        work={add}
        form={form}
      >
        <TextInput
          label="Address of the board"
          type="url"
          placeholder="https://board.example"
          required
          maxLength={300}
          {...form.field('url')}
        />
      </Form>
      {add.data === undefined ? null : <ConfirmKey peer={add.data} />}
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
