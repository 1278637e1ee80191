import { useState } from 'react';
import { useAsk } from '../../api/use-ask.js';
import { Answered } from '../../parts/Answered.js';
import { InertBlock } from '../../parts/InertBlock.js';
import { ThreadEvidence } from '../item/ThreadEvidence.js';

/** The whole opening text and what follows it, read when it is opened. */
export function HiddenThread({ id }: { id: number }) {
  const [open, setOpen] = useState(false);
  const item = useAsk('item.read', { subject: `message:${id}` }, open);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The thread</summary>
      {open ? (
        <Answered of={item} what="the thread">
          {(it) => (
            <div className="stack">
              <InertBlock
                text={it.message.body ?? 'There is no text any more.'}
                label={`The text of topic ${id}`}
              />
              <ThreadEvidence item={it} />
            </div>
          )}
        </Answered>
      ) : null}
    </details>
  );
}
