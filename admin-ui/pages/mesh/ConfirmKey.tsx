import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../../parts/Answered.js';
import { Inert } from '../../parts/Inert.js';
import { Block, Facts } from '../../parts/Page.js';
import { keyOf, LinkSteps } from './LinkSteps.js';
import { type Peer, usePeerCommand } from './peers.js';

/** New boards take all steps; a changed identity only the comparison. */
export function ConfirmKey({ peer }: { peer: Peer }) {
  const [compared, setCompared] = useState(false);
  const confirm = usePeerCommand('peer.confirm');
  const { name, status, pending_identity: waits } = peer;
  const { pending_address: moved } = peer;
  const { pending_identity_signed: signed } = peer;
  if (confirm.isSuccess) return <p role="status">The key is confirmed.</p>;
  if (status === 'pending') return <LinkSteps peer={peer} />;
  if (waits === null) return null;
  const key = keyOf(peer);
  return (
    <div className="preview">
      <h3>
        <Inert text={name} /> shows another identity
      </h3>
      {signed === null ? null : <SignedBy confirmed={signed} />}
      {moved === null ? null : <Moved from={peer.base_url} to={moved} />}
      <p className="tight">
        Check this key with the other board’s operators over a separate channel
        (for example by phone):
      </p>
      <p className="tight">
        <code className="break">
          <Inert text={key} />
        </code>
      </p>
      <Block heading label="The whole identity" text={waits} />
      <Checkbox
        label={
          moved === null
            ? 'I have compared the key'
            : 'I have compared the address and the key'
        }
        checked={compared}
        onChange={({ currentTarget }) => setCompared(currentTarget.checked)}
      />
      <p>
        <Button
          variant="filled"
          disabled={!compared}
          loading={confirm.isPending}
          onClick={() =>
            confirm.mutate({
              board: name,
              log_vkey: key,
              ...(moved === null ? {} : { address: moved }),
            })
          }
        >
          {moved === null ? 'Confirm this key' : 'Confirm this address and key'}
        </Button>
      </p>
      <Failure error={confirm.error} />
    </div>
  );
}

/** No request goes to an unconfirmed address. */
function Moved({ from, to }: { from: string; to: string }) {
  return (
    <>
      <Facts
        of={{
          'Address in use': <Inert text={from} />,
          'New address': <Inert text={to} />,
        }}
      />
      <p className="tight">
        Nothing is asked at the new address, and pulling goes on at the old one,
        until you confirm it. Ask the other board’s operators whether it has
        moved.
      </p>
    </>
  );
}

/** Only the confirmed key vouches for a changed identity. */
function SignedBy({ confirmed }: { confirmed: boolean }) {
  return (
    <p className="tight">
      {confirmed ? (
        'It is signed by the key you confirmed.'
      ) : (
        <strong>
          It is NOT signed by the key you confirmed: compare the new key with
          its operators.
        </strong>
      )}
    </p>
  );
}
