import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { Failure } from '../../parts/Failure.js';
import { Inert } from '../../parts/Inert.js';
import type { Peer } from './PeerTable.js';
import { usePeerCommand } from './use-peer-command.js';

/** Pause, resume, block. */
export function PeerActions({ peer: { name: board, status } }: { peer: Peer }) {
  const pause = usePeerCommand('peer.pause');
  const resume = usePeerCommand('peer.resume');
  const block = usePeerCommand('peer.block');
  const [reason, setReason] = useState('');
  const error = pause.error ?? resume.error ?? block.error;
  const stopped = ['paused', 'quarantined', 'degraded', 'blocked'];
  return (
    <>
      <div className="row">
        {stopped.includes(status) ? (
          <Button
            size="compact-xs"
            variant="default"
            loading={resume.isPending}
            onClick={() => resume.mutate({ board })}
          >
            Resume
          </Button>
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            loading={pause.isPending}
            onClick={() => pause.mutate({ board })}
          >
            Pause
          </Button>
        )}
        {status === 'blocked' ? null : (
          <ConfirmButton
            label="Block"
            ariaLabel={`Block ${board}`}
            busy={block.isPending}
            act={() =>
              block.mutate({
                board,
                ...(reason.trim() === '' ? {} : { reason }),
              })
            }
          >
            <p className="tight">
              All traffic with <Inert text={board} /> ends and our copy of it is
              erased. Pause keeps the copy.
            </p>
            <TextInput
              label="Why (for operators)"
              maxLength={1000}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </ConfirmButton>
        )}
      </div>
      {error === null ? null : <Failure error={error} />}
    </>
  );
}
