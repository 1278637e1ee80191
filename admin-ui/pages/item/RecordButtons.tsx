import { Button } from '@mantine/core';
import { useState } from 'react';
import { ACTION_WORDS } from '../../parts/words.js';
import type { Draft } from './draft.js';
import { faultOf } from './placeholders.js';

type Props = {
  draft: Draft;
  busy: boolean;
  previewing: boolean;
  preview: () => void;
  send: (next: boolean) => void;
};

/** Nothing goes out while the explanation is not whole. */
export function RecordButtons(props: Props) {
  const { draft, busy, previewing, preview, send } = props;
  const [sure, setSure] = useState(false);
  const fault = faultOf(draft.explanation);
  const erases = draft.action === 'erase';
  const held = fault !== null || busy || (erases && !sure);
  return (
    <div className="stack">
      {erases ? (
        <label className="row">
          <input
            type="checkbox"
            checked={sure}
            onChange={({ currentTarget }) => setSure(currentTarget.checked)}
          />
          The text will be destroyed for ever. I am sure.
        </label>
      ) : null}
      <div className="row">
        <Button
          variant="default"
          disabled={fault !== null}
          loading={previewing}
          onClick={preview}
        >
          Preview
        </Button>
        <Button disabled={held} loading={busy} onClick={() => send(false)}>
          Record
        </Button>
        <Button disabled={held} loading={busy} onClick={() => send(true)}>
          Record and next
        </Button>
      </div>
      <p className="dim tight" role="status">
        {fault ?? `Ready: ${ACTION_WORDS[draft.action]}.`}
      </p>
    </div>
  );
}
