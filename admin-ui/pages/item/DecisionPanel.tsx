import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { POLL_OUTCOMES, reasonsOf } from '../../../protocol/moderation.js';
import type { Decided } from '../../../server/dashboard/commands/decide.js';
import type { DecisionSeen } from '../../../server/dashboard/commands/decisions.js';
import type { Item } from '../../../server/dashboard/commands/item.js';
import type { Role } from '../../../server/dashboard/roles.js';
import { useAccess } from '../../access/use-access.js';
import { ask, useCommand, useRead } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { isRefusal } from '../../api/request.js';
import { Failure } from '../../parts/Answered.js';
import { shown } from '../../parts/invisible.js';
import { Section } from '../../parts/Page.js';
import { Select } from '../../parts/Select.js';
import {
  ACTION_EFFECTS,
  LEAVES_HIDDEN,
  named,
  OUTCOME_WORDS,
  past,
  todo,
} from '../../parts/words.js';
import { useTellDecision } from '../../shell/last-decision.js';
import { useAddress } from '../../shell/use-address.js';
import { useKeys } from '../../shell/use-keys.js';
import { rememberedQueue } from '../queue/queue-input.js';
import { renewItem } from './ClaimBar.js';
import {
  actionsFor,
  type Draft,
  firstDraft,
  fitting,
  inputOf,
  isOpen,
  openReports,
  reasonFor,
} from './draft.js';
import { Explanation, faultOf } from './PlaceholderFields.js';
import { ReporterAnswer } from './ReporterAnswer.js';
import { ConflictView, Previewed } from './ShortDecision.js';
import { Templates } from './Templates.js';

type Props = {
  item: Item;
  /** The decision that the new one reverses. */
  undo: DecisionSeen | undefined;
  seen: number | null;
  /** Reads the item again; `known`: a decision shown meanwhile. */
  renew: (known?: number) => void;
  /** The evidence is read again, so that nothing is new. */
  looked: () => void;
};

/** The next row of the last viewed queue that no colleague has claimed. */
async function nextAfter(item: Item): Promise<string | null> {
  const { subject, reports, poll } = item;
  const times = reports
    .filter((it) => isOpen(it) && it.subject === subject)
    .map((it) => it.created_at);
  const at = Math.min(
    ...times,
    ...(subject.startsWith('poll:') ? [Date.parse(poll?.closes_at ?? '')] : []),
  );
  const place = { reports: times.length, at, subject };
  const after = Number.isFinite(at) ? place : undefined;
  const filters = { ...rememberedQueue(), limit: 100 };
  const { data } = await ask('queue.list', { ...filters, after });
  const next = data.find(
    (row) => row.subject !== subject && row.claim?.mine !== false,
  );
  return next?.subject ?? null;
}

const RENEW_MS = 300_000;
const AGAIN_MS = 2000;

/** An operator who writes claims the item, and keeps it while at work. */
function usePresence({ subject, claim }: Item): () => void {
  const last = useRef(0);
  return () => {
    if (claim?.mine === false) return;
    const since = Date.now() - last.current;
    if (since < (claim === null ? AGAIN_MS : RENEW_MS)) return;
    last.current = Date.now();
    ask('subject.claim', { subject }).then(renewItem, renewItem);
  };
}

export function DecisionPanel({ item, undo, seen, renew, looked }: Props) {
  const { search, change: readdress } = useAddress();
  const role = useAccess().data?.operator?.role ?? 'viewer';
  const [kept, setDraft] = useState<Draft>(() => firstDraft(item, role, undo));
  const draft = fitting(item, role, kept);
  const present = usePresence(item);
  const go = useNavigate();
  const tell = useTellDecision();
  const preview = useRead('decision.preview');
  const record = useCommand('decision.record');
  const input = inputOf(item, draft, seen);
  const isHidden = item.message.state === 'hidden_by_ratings';
  const { error } = record;
  const conflict = isRefusal(error, 'decision_conflict') ? error : null;
  const change = (some: Partial<Draft>) =>
    setDraft((before) => ({ ...fitting(item, role, before), ...some }));
  const finish = async ({ decision }: Decided, next: boolean) => {
    tell(
      item.subject,
      decision.id,
      `${named(item.subject)} ${past(decision.action, decision.stays_hidden)} (decision ${decision.id}).`,
    );
    reread('queue.list');
    change({ explanation: '', note: '', answer: '', supersedes: '' });
    preview.reset();
    if (!next) {
      readdress({ undo: undefined, decide: undefined });
      return renew();
    }
    const subject = await nextAfter(item);
    await (subject === null
      ? go({ to: '/queue', search: rememberedQueue() as never })
      : go({ to: '/item/$subject', params: { subject } }));
  };
  const send = (next: boolean) =>
    record.mutate(input, {
      onSuccess: (done) => void finish(done, next),
      // `seen` stays: the evidence shows what the refusal is about.
      onError: () => {
        renewItem();
        looked();
      },
    });
  const onKey = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) present();
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
          >
            Continue with my draft
          </ConflictView>
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
          isHidden={isHidden}
          preview={preview}
          input={input}
          record={record}
          send={send}
        />
        <Failure error={conflict === null ? record.error : null} />
        <Previewed preview={preview} input={input} isHidden={isHidden} />
      </Section>
    </div>
  );
}

type ButtonsProps = {
  draft: Draft;
  isHidden: boolean;
  preview: ReturnType<typeof useRead<'decision.preview'>>;
  input: ReturnType<typeof inputOf>;
  record: ReturnType<typeof useCommand<'decision.record'>>;
  send: (next: boolean) => void;
};

/** Disabled while the explanation has open placeholders. */
function RecordButtons(props: ButtonsProps) {
  const { draft, isHidden, preview, input, record, send } = props;
  const [sure, setSure] = useState(false);
  const fault = faultOf(draft.explanation);
  const erases = draft.action === 'erase';
  const recording = {
    size: 'sm',
    variant: 'filled',
    disabled: fault !== null || record.isPending || (erases && !sure),
    loading: record.isPending,
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
          loading={preview.isPending}
          onClick={() => preview.mutate(input)}
        >
          Preview
        </Button>
        <Button {...recording} onClick={() => send(false)}>
          Record
        </Button>
        <Button {...recording} onClick={() => send(true)}>
          Record and next
        </Button>
      </div>
      <p className="dim tight" role="status">
        {record.isError
          ? 'Not recorded.'
          : (fault ?? `Ready: ${todo(draft.action, isHidden)}.`)}
      </p>
    </div>
  );
}

type DecisionFormProps = {
  item: Item;
  role: Role;
  draft: Draft;
  change: (some: Partial<Draft>) => void;
  /** True: somebody pressed d or u. */
  focus: boolean;
};

function DecisionForm({ item, role, draft, change, focus }: DecisionFormProps) {
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (focus) first.current?.focus();
  }, [focus]);
  useKeys({ d: () => first.current?.focus() });
  const standing = item.decisions.filter((it) => it.superseded_by === null);
  const waiting = openReports(item.reports).length;
  const reported = item.reports.map(({ reason }) => reason);
  const actions = actionsFor(item, role);
  const isHidden = item.message.state === 'hidden_by_ratings';
  return (
    <div className="stack">
      <Select
        ref={first}
        label="What to do"
        description={
          isHidden && draft.action === 'hide'
            ? LEAVES_HIDDEN
            : ACTION_EFFECTS[draft.action]
        }
        options={actions}
        words={(it) => todo(it, isHidden)}
        value={draft.action}
        choose={(action) => {
          const reason = reasonFor(action, [draft.reason, ...reported]);
          change({ action, reason });
        }}
      />
      {draft.action === 'poll_decision' ? (
        <Select
          label="Answer to the proposal"
          options={POLL_OUTCOMES}
          words={(it) => OUTCOME_WORDS[it]}
          value={draft.outcome}
          choose={(outcome) => change({ outcome })}
        />
      ) : null}
      <Select
        label="Reason"
        options={reasonsOf(draft.action)}
        value={draft.reason}
        choose={(reason) => change({ reason })}
      />
      <Templates actions={actions} draft={draft} change={change} />
      <Explanation
        of={draft}
        change={change}
        about="Public and permanent."
        rows={6}
      />
      {standing.length === 0 ? null : (
        <NativeSelect
          label="Reverses"
          value={draft.supersedes}
          onChange={({ currentTarget }) =>
            change({ supersedes: currentTarget.value })
          }
          data={[
            { value: '', label: 'No earlier decision' },
            ...standing.map(({ id, action, stays_hidden, operator }) => ({
              value: String(id),
              label: `${id}: ${todo(action, stays_hidden)}, by ${shown(operator)}`,
            })),
          ]}
        />
      )}
      {waiting === 0 ? null : (
        <Checkbox
          label={`Close ${waiting === 1 ? 'the open report' : `all ${waiting} open reports`} with it`}
          checked={draft.settles}
          onChange={({ currentTarget }) =>
            change({ settles: currentTarget.checked })
          }
        />
      )}
      {waiting === 0 || !draft.settles ? null : (
        <ReporterAnswer
          text={draft.answer}
          change={(answer) => change({ answer })}
        />
      )}
    </div>
  );
}
