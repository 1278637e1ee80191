import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Decided } from '../../../server/dashboard/commands/decide.js';
import type { Item } from '../../../server/dashboard/commands/item.js';
import type { PublicDecision } from '../../../server/moderation/index.js';
import { useAccess } from '../../access/use-access.js';
import { ask, useCommand } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { isRefusal, type Refusal } from '../../api/request.js';
import { Failure } from '../../parts/Answered.js';
import { Inert } from '../../parts/Inert.js';
import { Facts, Section } from '../../parts/Page.js';
import { Time } from '../../parts/Time.js';
import { useIntoView } from '../../parts/use-into-view.js';
import { ACTION_WORDS, DONE, plain } from '../../parts/words.js';
import { useTellDecision } from '../../shell/last-decision.js';
import { useAddress, wholeNumber } from '../../shell/use-address.js';
import { rememberedQueue } from '../queue/queue-input.js';
import { renewItem } from './ClaimBar.js';
import { DecisionForm } from './DecisionForm.js';
import { type Draft, firstDraft, fitting, inputOf } from './draft.js';
import { Previewed } from './Previewed.js';
import { faultOf } from './placeholders.js';

type Props = {
  item: Item;
  seen: number | null;
  /** Reads the item again; `known`: a decision shown meanwhile. */
  renew: (known?: number) => void;
};

/** The next subject of the last viewed queue. */
async function nextAfter(subject: string): Promise<string | null> {
  const { data } = await ask('queue.list', { ...rememberedQueue(), limit: 50 });
  const free = data.filter(
    (row) => row.subject !== subject && row.claim?.mine !== false,
  );
  return free[0]?.subject ?? null;
}

/** An operator who begins to write claims the item. */
function usePresence({ subject, claim }: Item): () => void {
  const claimed = useRef(false);
  return () => {
    if (claimed.current || claim !== null) return;
    claimed.current = true;
    ask('subject.claim', { subject }).then(renewItem, renewItem);
  };
}

export function DecisionPanel({ item, seen, renew }: Props) {
  const { search, change: readdress } = useAddress();
  const role = useAccess().data?.operator?.role ?? 'viewer';
  const undo = item.decisions.find(({ id }) => id === wholeNumber(search.undo));
  const [kept, setDraft] = useState<Draft>(() => firstDraft(item, role, undo));
  const draft = fitting(item, role, kept);
  const present = usePresence(item);
  const go = useNavigate();
  const tell = useTellDecision();
  const preview = useCommand('decision.preview');
  const record = useCommand('decision.record');
  const input = inputOf(item, draft, seen);
  const { error } = record;
  const conflict = isRefusal(error, 'decision_conflict') ? error : null;
  const change = (some: Partial<Draft>) =>
    setDraft((before) => ({ ...fitting(item, role, before), ...some }));
  const finish = async ({ decision }: Decided, next: boolean) => {
    const [kind = '', id = ''] = item.subject.split(':');
    tell(
      item.subject,
      decision.id,
      `${plain(kind)} ${id} ${DONE[decision.action]} (decision ${decision.id}).`,
    );
    reread('queue.list');
    change({ explanation: '', note: '', supersedes: '' });
    preview.reset();
    if (!next) {
      readdress({ undo: undefined, decide: undefined });
      return renew();
    }
    const subject = await nextAfter(item.subject);
    await (subject === null
      ? go({ to: '/queue', search: rememberedQueue() as never })
      : go({ to: '/item/$subject', params: { subject } }));
  };
  const send = (next: boolean) =>
    record.mutate(input, {
      onSuccess: (done) => void finish(done, next),
      // `seen` stays: the evidence shows what the refusal is about.
      onError: renewItem,
    });
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    // Erasing needs a click, never a shortcut.
    if (draft.action === 'erase' || record.isPending) return;
    if (faultOf(draft.explanation) === null) send(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens
    <div onFocus={present} onKeyDown={onKey}>
      <Section title="Decision" className="stack">
        {undo === undefined ? null : (
          <p className="dim">
            This new decision reverses decision {undo.id}. Both remain public.
          </p>
        )}
        {conflict === null ? null : (
          <ConflictView
            refusal={conflict}
            seen={seen}
            renew={(known) => {
              record.reset();
              renew(known);
            }}
          />
        )}
        <DecisionForm
          item={item}
          role={role}
          draft={draft}
          change={change}
          focus={search.decide === '1' || undo !== undefined}
        />
        <RecordButtons
          draft={draft}
          busy={record.isPending}
          previewing={preview.isPending}
          preview={() => preview.mutate(input)}
          refused={record.error !== null}
          send={send}
        />
        <Failure error={conflict === null ? record.error : null} />
        <Previewed preview={preview} input={input} />
      </Section>
    </div>
  );
}

type ButtonsProps = {
  draft: Draft;
  busy: boolean;
  previewing: boolean;
  preview: () => void;
  refused: boolean;
  send: (next: boolean) => void;
};

/** Disabled while the explanation has open placeholders. */
function RecordButtons(props: ButtonsProps) {
  const { draft, busy, previewing, preview, refused, send } = props;
  const [sure, setSure] = useState(false);
  const fault = faultOf(draft.explanation);
  const erases = draft.action === 'erase';
  const record = {
    size: 'sm',
    variant: 'filled',
    disabled: fault !== null || busy || (erases && !sure),
    loading: busy,
  };
  return (
    <div className="stack">
      {erases ? (
        <label className="row">
          <input
            type="checkbox"
            checked={sure}
            onChange={({ currentTarget }) => setSure(currentTarget.checked)}
          />
          The text will be destroyed permanently. I am sure.
        </label>
      ) : null}
      <div className="row">
        <Button
          size="sm"
          disabled={fault !== null}
          loading={previewing}
          onClick={preview}
        >
          Preview
        </Button>
        <Button {...record} onClick={() => send(false)}>
          Record
        </Button>
        <Button {...record} onClick={() => send(true)}>
          Record and next
        </Button>
      </div>
      <p className="dim tight" role="status">
        {refused
          ? 'Not recorded.'
          : (fault ?? `Ready: ${ACTION_WORDS[draft.action]}.`)}
      </p>
    </div>
  );
}

type ConflictProps = {
  refusal: Refusal;
  /** The newest decision that the operator has seen. */
  seen: number | null;
  renew: (known?: number) => void;
};

/** Why a decision does not fit: another was first, or it changes nothing. */
function ConflictView({ refusal, seen, renew }: ConflictProps) {
  const current = refusal.body.current as PublicDecision | null;
  return (
    <div className="conflict" role="alert" ref={useIntoView<HTMLDivElement>()}>
      <h3>
        {current !== null && current.id !== seen
          ? 'Somebody else decided first'
          : 'This decision does not fit'}
      </h3>
      <p>{refusal.message} Your decision was not recorded.</p>
      {current && (
        <Facts
          of={{
            Operator: current.operator,
            Decision: `${plain(current.action)}, ${plain(current.reason)}`,
            Explanation: <Inert text={current.explanation} />,
            Decided: <Time at={current.decided_at} exact />,
          }}
        />
      )}
      <p className="tight">
        <Button onClick={() => renew(current?.id)}>
          Continue with my draft
        </Button>
      </p>
    </div>
  );
}
