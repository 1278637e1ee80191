import { Button, TextInput } from '@mantine/core';
import {
  PEER_LIMITS,
  peerLimits,
} from '../../../server/dashboard/schemas/views.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { Failure } from '../../parts/Failure.js';
import { Time } from '../../parts/Time.js';
import { useForm } from '../../parts/use-form.js';
import type { Peer } from './PeerTable.js';
import { usePeerCommand } from './use-peer-command.js';

/** How much is taken from the board; an empty field takes the default. */
export function PeerLimits({ peer: { name: board, limits } }: { peer: Peer }) {
  const form = useForm(peerLimits(() => ''));
  const save = usePeerCommand('peer.limits', form.reset);
  const number = (text: string) => (text === '' ? null : Number(text));
  const send = () =>
    save.mutate({
      board,
      ...peerLimits(({ name }) => number(form.values[name])),
    });
  return (
    <details>
      <summary>Limits</summary>
      <form className="filters" onSubmit={form.submit(send)}>
        {PEER_LIMITS.map(({ name, label }) => (
          <TextInput
            key={name}
            size="xs"
            label={label}
            description={`Now ${limits[name]}`}
            inputMode="numeric"
            pattern="[0-9]{1,15}"
            {...form.field(name)}
          />
        ))}
        <Button type="submit" size="xs" loading={save.isPending}>
          Set, empty for the default
        </Button>
      </form>
      {limits.probation_until === null ? null : (
        <p className="row">
          In its first week only a tenth is taken, until{' '}
          <Time at={limits.probation_until} />.
          <ConfirmButton
            label="End it now"
            act={() => save.mutate({ board, probation: false })}
          >
            The whole of the limits above is taken from now on.
          </ConfirmButton>
        </p>
      )}
      {save.error === null ? null : <Failure error={save.error} />}
    </details>
  );
}
