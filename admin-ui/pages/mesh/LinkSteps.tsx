import { Button, Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ask } from '../../api/ask.js';
import { noteOwn } from '../../api/own-changes.js';
import { reread } from '../../api/query-client.js';
import { Failure } from '../../parts/Answered.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Block } from '../../parts/Page.js';
import type { Peer } from './peers.js';
import { SendThem } from './SendThem.js';

const STEPS = ['Address', 'Compare the key', 'What to keep'] as const;

export function Steps({ at }: { at: number }) {
  return (
    <ol className="steps" aria-label="Linking a board">
      {STEPS.map((name, n) => (
        <li key={name} aria-current={n === at ? 'step' : undefined}>
          {name}
          {n < at ? <span className="unseen-label"> (done)</span> : null}
        </li>
      ))}
    </ol>
  );
}

/** Of a waiting identity, else the confirmed one. */
export function keyOf({ pending_identity: waits, log_vkey: known }: Peer) {
  return /(?<![^\n])log:? (\S+)(?![^\n])/.exec(waits ?? '')?.[1] ?? known;
}

/** Nothing is exchanged before a person has compared the key. */
export function LinkSteps({ peer }: { peer: Peer }) {
  const [compared, setCompared] = useState(false);
  const [isKeeping, setKeeping] = useState(false);
  const [content, setContent] = useState(peer.content);
  const { name: board } = peer;
  const log_vkey = keyOf(peer);
  const link = useMutation({
    mutationFn: async () => {
      if (content !== peer.content) await ask('peer.trust', { board, content });
      return await ask('peer.confirm', { board, log_vkey });
    },
    onSuccess: () => {
      noteOwn(`peer:${board}`);
      reread('peer.list');
    },
  });
  if (link.data !== undefined) {
    return (
      <div className="stack">
        <p role="status" className="tight">
          The key is confirmed. This board begins to copy <Inert text={board} />{' '}
          now.
        </p>
        <SendThem peer={link.data} />
      </div>
    );
  }
  return (
    <div className="preview stack">
      <Steps at={isKeeping ? 2 : 1} />
      <h3>
        Link <Inert text={board} />
      </h3>
      {isKeeping ? (
        <Keeping of={peer} content={content} choose={setContent} />
      ) : (
        <>
          <p className="tight">
            Check this key with the other board’s operators over a separate
            channel (for example by phone):
          </p>
          <p className="tight">
            <code className="break">
              <Inert text={log_vkey} />
            </code>
          </p>
          <Block
            heading
            label="The whole identity"
            text={peer.pending_identity ?? peer.identity}
          />
          <Checkbox
            label="I have compared the key"
            checked={compared}
            onChange={({ currentTarget }) => setCompared(currentTarget.checked)}
          />
        </>
      )}
      <div className="row">
        {isKeeping ? (
          <>
            <Button onClick={() => setKeeping(false)}>Back to the key</Button>
            <Button
              variant="filled"
              loading={link.isPending}
              onClick={() => link.mutate()}
            >
              Link this board
            </Button>
          </>
        ) : (
          <Button
            variant="filled"
            disabled={!compared}
            onClick={() => setKeeping(true)}
          >
            Next: what to keep
          </Button>
        )}
      </div>
      <Failure error={link.error} />
    </div>
  );
}

type KeepingProps = {
  of: Peer;
  content: Peer['content'];
  choose: (content: Peer['content']) => void;
};

/** Text counts per choice, where the board says so (§16.10). */
function Keeping({ of: { messages }, content, choose }: KeepingProps) {
  const texts = (n: number | undefined) =>
    n === undefined
      ? 'How many it has is unknown: it does not say.'
      : `It says that it has ${count(n)} of them now.`;
  const { signed, guest } = messages ?? {};
  const all =
    signed === undefined || guest === undefined ? undefined : signed + guest;
  return (
    <fieldset className="card stack">
      <legend>Which texts does this board keep a copy of?</legend>
      <Keep
        label="Signed messages"
        description={`Texts whose author has a key. ${texts(signed)}`}
        checked={content === 'signed'}
        choose={() => choose('signed')}
      />
      <Keep
        label="All messages"
        description={`Texts of guests too, whom nobody vouches for; only so can that board be restored whole from here. ${texts(all)}`}
        checked={content === 'all'}
        choose={() => choose('all')}
      />
      <p className="dim tight">
        It can be changed later. Entries of the log are kept either way.
      </p>
    </fieldset>
  );
}

type KeepProps = {
  label: string;
  description: string;
  checked: boolean;
  choose: () => void;
};

function Keep({ label, description, checked, choose }: KeepProps) {
  const about = useId();
  return (
    <div>
      <label className="row">
        <input
          type="radio"
          name="content"
          checked={checked}
          onChange={choose}
          aria-describedby={about}
        />
        {label}
      </label>
      <p id={about} className="dim tight">
        {description}
      </p>
    </div>
  );
}
