import { Button, Checkbox, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { change } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { Failure } from '../../parts/Answered.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Block, Facts } from '../../parts/Page.js';
import { type Peer, usePeerCommand } from './peers.js';
import { FullKey, SendThem } from './SendThem.js';

/** `sent`: what its operators sent, where the address came with it. */
type Props = { peer: Peer; sent?: string };

/** New boards take all steps; a changed identity only the comparison. */
export function ConfirmKey({ peer, sent = '' }: Props) {
  const [text, setText] = useState(sent);
  const confirm = usePeerCommand('peer.confirm');
  const { name, status, pending_identity: waits } = peer;
  const { pending_address: moved, pending_identity_signed: signed } = peer;
  const [addressed, setAddressed] = useState(moved === null);
  if (confirm.isSuccess) return <p role="status">The key is confirmed.</p>;
  if (status === 'pending') return <LinkSteps peer={peer} sent={sent} />;
  if (waits === null) return null;
  const key = keyOf(peer);
  return (
    <div className="preview">
      <h3>
        <Inert text={name} /> shows another identity
      </h3>
      {signed === null ? null : <SignedBy confirmed={signed} />}
      {moved === null ? null : <Moved from={peer.base_url} to={moved} />}
      <CompareKey vkey={key} text={text} set={setText} />
      <Block heading label="The whole identity" text={waits} />
      {moved === null ? null : (
        <Checkbox
          label="I have compared the address"
          checked={addressed}
          onChange={({ currentTarget }) => setAddressed(currentTarget.checked)}
        />
      )}
      <p>
        <Button
          variant="filled"
          disabled={keyIn(text) !== key || !addressed}
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

/** Also of the command that {@link SendThem} gives. */
const keyIn = (text: string): string =>
  /--confirm\s+'?([^\s']+)/.exec(text)?.[1] ?? text.trim();

type CompareProps = { vkey: string; text: string; set: (to: string) => void };

/** By machine: eyes skip what is in the middle. */
function CompareKey({ vkey, text, set }: CompareProps) {
  const sent = keyIn(text);
  const equal = sent === vkey;
  return (
    <div className="stack">
      <p className="tight">
        Ask the other board’s operators for its log key over a separate channel,
        such as a chat that you trust. It shows this one:
      </p>
      <p className="tight">
        <FullKey vkey={vkey} />
      </p>
      <Textarea
        label="Paste the key that they sent"
        description="The whole key, or the command with it; a fingerprint is not enough."
        rows={2}
        value={text}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
      <p role="status" className={equal || sent === '' ? 'tight' : 'fault'}>
        {sent === ''
          ? ''
          : equal
            ? 'Equal: it is their key.'
            : 'Not equal: do not confirm. Somebody else may answer at this address.'}
      </p>
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
function keyOf({ pending_identity: waits, log_vkey: known }: Peer) {
  return /(?<![^\n])log:? (\S+)(?![^\n])/.exec(waits ?? '')?.[1] ?? known;
}

/** Nothing is exchanged before a person has compared the key. */
function LinkSteps({ peer, sent }: Required<Props>) {
  const [text, setText] = useState(sent);
  const [isKeeping, setKeeping] = useState(false);
  const [content, setContent] = useState(peer.content);
  const { name: board } = peer;
  const log_vkey = keyOf(peer);
  const link = useMutation({
    mutationFn: async () => {
      if (content !== peer.content)
        await change('peer.trust', { board, content });
      return await change('peer.confirm', { board, log_vkey });
    },
    onSuccess: () => reread('peer.list'),
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
          <CompareKey vkey={log_vkey} text={text} set={setText} />
          <Block
            heading
            label="The whole identity"
            text={peer.pending_identity ?? peer.identity}
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
            disabled={keyIn(text) !== log_vkey}
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
        description={`Texts of guests too, whom nobody vouches for; needed to restore that board completely from here. ${texts(all)}`}
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
