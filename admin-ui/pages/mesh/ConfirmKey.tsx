import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../../parts/Failure.js';
import { Inert } from '../../parts/Inert.js';
import { Note } from './Note.js';
import type { Peer } from './PeerTable.js';
import { usePeerCommand } from './use-peer-command.js';

/** The log key that a waiting identity shows, or the one on file. */
function keyOf({ pending_identity: waits, log_vkey: known }: Peer): string {
  return /^log:? (\S+)$/m.exec(waits ?? '')?.[1] ?? known;
}

/** Nothing is exchanged before a person has compared the key. */
export function ConfirmKey({ peer }: { peer: Peer }) {
  const [compared, setCompared] = useState(false);
  const confirm = usePeerCommand('peer.confirm');
  const { name, status, pending_identity: waits, identity } = peer;
  if (confirm.isSuccess) return <p role="status">The key is confirmed.</p>;
  if (status !== 'pending' && waits === null) return null;
  const key = keyOf(peer);
  return (
    <div className="preview">
      <h3>
        {waits === null || status === 'pending' ? (
          <>
            Confirm the key of <Inert text={name} />
          </>
        ) : (
          <>
            <Inert text={name} /> shows another identity
          </>
        )}
      </h3>
      <p className="tight">
        Ask the other board’s operators, by another way than this address, what
        their log key is. It must be exactly:
      </p>
      <p className="tight">
        <code className="break">
          <Inert text={key} />
        </code>
      </p>
      <Note label="The whole identity" text={waits ?? identity} />
      <Checkbox
        label="I have compared the key"
        checked={compared}
        onChange={({ currentTarget }) => setCompared(currentTarget.checked)}
      />
      <p>
        <Button
          size="xs"
          disabled={!compared}
          loading={confirm.isPending}
          onClick={() => confirm.mutate({ board: name, log_vkey: key })}
        >
          Confirm this key
        </Button>
      </p>
      {confirm.error === null ? null : <Failure error={confirm.error} />}
    </div>
  );
}
