import { TextInput } from '@mantine/core';
import { useMay } from '../../access/use-access.js';
import { isRefusal } from '../../api/refusal.js';
import { useAsk } from '../../api/use-ask.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { Empty } from '../../parts/Empty.js';
import { Form } from '../../parts/Form.js';
import { NewHint } from '../../parts/NewHint.js';
import { Page } from '../../parts/Page.js';
import { Section } from '../../parts/Section.js';
import { useForm } from '../../parts/use-form.js';
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
import { Unacknowledged } from './Unacknowledged.js';

/** The boards that this one is linked with. */
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

/** By address: its identity is fetched and shown, and then to be confirmed. */
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
