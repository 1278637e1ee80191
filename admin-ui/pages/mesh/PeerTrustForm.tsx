import { Button, NativeSelect } from '@mantine/core';
import { Failure } from '../../parts/Failure.js';
import { useForm } from '../../parts/use-form.js';
import type { Peer } from './PeerTable.js';
import { usePeerCommand } from './use-peer-command.js';

const TRUST = [
  { value: 'witness', label: 'Witness: watch its log only' },
  { value: 'proofs', label: 'Proofs: entries, no texts' },
  { value: 'mirror', label: 'Mirror: copy its messages' },
  { value: 'relay', label: 'Relay: also carry posts to it' },
];
const CONTENT = [
  { value: 'signed', label: 'Signed messages' },
  { value: 'all', label: 'All messages' },
];
const DECISIONS = [
  { value: 'annotate', label: 'Annotate: show its decisions beside' },
  { value: 'follow', label: 'Follow: hide what it hides' },
];

/** How far the board is trusted, what is copied, whose decisions count. */
export function PeerTrustForm({ peer }: { peer: Peer }) {
  const { name: board, trust, content, decisions } = peer;
  const form = useForm<Record<'trust' | 'content' | 'decisions', string>>({
    trust,
    content,
    decisions,
  });
  const save = usePeerCommand('peer.trust');
  const send = () =>
    save.mutate({
      board,
      trust: form.values.trust as Peer['trust'],
      content: form.values.content as Peer['content'],
      decisions: form.values.decisions as Peer['decisions'],
    });
  return (
    <form className="filters" onSubmit={form.submit(send)}>
      <NativeSelect
        size="xs"
        label="Trust"
        data={TRUST}
        {...form.field('trust')}
      />
      <NativeSelect
        size="xs"
        label="Texts"
        data={CONTENT}
        {...form.field('content')}
      />
      <NativeSelect
        size="xs"
        label="Decisions"
        data={DECISIONS}
        {...form.field('decisions')}
      />
      <Button type="submit" size="xs" loading={save.isPending}>
        Change
      </Button>
      {save.error === null ? null : <Failure error={save.error} />}
    </form>
  );
}
