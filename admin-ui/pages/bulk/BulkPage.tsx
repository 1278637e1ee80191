import { Button, Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import {
  type ModerationAction,
  type ModerationReason,
  reasonsOf,
} from '../../../protocol/moderation.js';
import { useAccess, useMay } from '../../access/use-access.js';
import { Failure } from '../../parts/Answered.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Empty, Page, Section } from '../../parts/Page.js';
import { Select } from '../../parts/Select.js';
import {
  ACTION_EFFECTS,
  LEAVES_HIDDEN,
  named,
  todo,
} from '../../parts/words.js';
import type { Draft } from '../item/draft.js';
import { Explanation, faultOf, filled } from '../item/PlaceholderFields.js';
import { ReporterAnswer } from '../item/ReporterAnswer.js';
import { Templates } from '../item/Templates.js';
import { type Chosen, useSelection } from '../queue/use-selection.js';
import { BulkWork } from './BulkWork.js';
import { beginBulk } from './run-bulk.js';

export function BulkPage() {
  const { bulk } = useParams({ strict: false }) as { bulk?: string };
  const chosen = [...useSelection().values()];
  const may = useMay('moderator');
  const go = useNavigate();
  if (bulk !== undefined) {
    return (
      <Page title="Bulk decision">
        <BulkWork key={bulk} bulk={bulk} />
      </Page>
    );
  }
  return (
    <Page
      title={`Decide for ${counted(chosen.length, 'selected item')}`}
      about="Each gets a decision of its own, with this one explanation."
    >
      {chosen.length === 0 || !may ? (
        <Empty title={may ? 'Nothing is selected.' : 'A moderator decides.'}>
          Select rows of <Link to="/queue">the queue</Link> with x, or all with
          the same text, name, key or link.
        </Empty>
      ) : (
        <BulkForm
          chosen={chosen}
          begun={(bulk) =>
            void go({ to: '/bulk/$bulk', params: { bulk }, replace: true })
          }
        />
      )}
    </Page>
  );
}

const ACTIONS = [
  ...(['remove', 'keep', 'hide', 'restore_visibility', 'reinstate'] as const),
];

/** Of most reports of what is chosen. */
function usualReason(chosen: readonly Chosen[]): ModerationReason {
  const counts = new Map<string, number>();
  for (const { reason, reports = 0 } of chosen) {
    if (!reason) continue;
    counts.set(reason, (counts.get(reason) ?? 0) + reports);
  }
  const [most = 'other'] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  return most as ModerationReason;
}

/** So that nobody decides blind. */
function Items({ chosen }: { chosen: readonly Chosen[] }) {
  return (
    <details open={chosen.length <= 30}>
      <summary>{counted(chosen.length, 'selected item')}</summary>
      <ol className="plain">
        {chosen.slice(0, 500).map(({ subject, name = null, author = null }) => (
          <li key={subject} className="one-line">
            <Link to="/item/$subject" params={{ subject }}>
              {named(subject)}
            </Link>{' '}
            <Inert text={name?.replaceAll('\n', ' ') ?? 'Removed'} />{' '}
            <span className="dim">
              <Inert text={author} />
            </span>
          </li>
        ))}
      </ol>
      {chosen.length > 500 ? (
        <p className="dim">And {count(chosen.length - 500)} more.</p>
      ) : null}
    </details>
  );
}

type Props = {
  chosen: readonly Chosen[];
  /** The board has the whole bulk. */
  begun: (bulk: string) => void;
};

function BulkForm({ chosen, begun }: Props) {
  const admin = useAccess().data?.operator?.role === 'admin';
  const actions = admin ? [...ACTIONS, 'erase' as const] : ACTIONS;
  const [action, setAction] = useState<ModerationAction | ''>('');
  const [draft, setDraft] = useState<Omit<Draft, 'action'>>({
    reason: usualReason(chosen),
    outcome: 'accepted',
    explanation: '',
    note: '',
    answer: '',
    supersedes: '',
    settles: true,
  });
  const [bulk] = useState(() => crypto.randomUUID());
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const { reason, explanation, note, answer, settles } = draft;
  const begin = useMutation({
    mutationFn: (decided: ModerationAction) =>
      beginBulk(
        {
          bulk,
          action: decided,
          reason,
          explanation,
          ...(note.trim() === '' ? {} : { private_note: note }),
          settle_reports: settles,
          ...(settles && answer.trim() !== '' ? { answer } : {}),
        },
        chosen,
      ),
    onSuccess: begun,
  });
  const hidden = chosen.filter((it) => it.hidden).length;
  const stays = hidden === chosen.length;
  const effect = (of: ModerationAction) =>
    of !== 'hide' || hidden === 0
      ? ACTION_EFFECTS[of]
      : stays
        ? LEAVES_HIDDEN
        : `${ACTION_EFFECTS.hide} Ratings have hidden ${hidden} already; these stay as they are.`;
  const many = { 'how many': count(chosen.length) };
  const change = ({ action: to, ...some }: Partial<Draft>) => {
    if (to !== undefined) setAction(to);
    setDraft((before) => {
      const after = { ...before, ...some };
      after.explanation = filled(after.explanation, many);
      const allowed = reasonsOf(to ?? (action || 'keep'));
      const [usual = 'other'] = allowed;
      return allowed.includes(after.reason)
        ? after
        : { ...after, reason: usual };
    });
  };
  const fault = action === '' ? 'Choose what to do.' : faultOf(explanation);
  const send = () => {
    if (action !== '' && fault === null && !begin.isPending) {
      begin.mutate(action);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens
    <div onKeyDown={onKey}>
      <Section title="Decision for all" className="stack narrow">
        <Items chosen={chosen} />
        <Select
          ref={first}
          label="What to do"
          description={action === '' ? undefined : effect(action)}
          options={['', ...actions]}
          words={(it) => (it === '' ? 'Choose …' : todo(it, stays))}
          value={action}
          choose={(it) => (it === '' ? setAction('') : change({ action: it }))}
        />
        {action === '' ? null : (
          <>
            <Select
              label="Reason"
              options={reasonsOf(action)}
              value={reason}
              choose={(it) => change({ reason: it })}
            />
            <Templates
              actions={[action]}
              draft={{ ...draft, action }}
              change={change}
            />
          </>
        )}
        <Explanation
          of={draft}
          change={change}
          about="Public and permanent, beside each of them."
          rows={4}
        />
        <Checkbox
          label="Close their open reports"
          checked={settles}
          onChange={({ currentTarget }) =>
            change({ settles: currentTarget.checked })
          }
        />
        {settles ? (
          <ReporterAnswer
            text={answer}
            change={(text) => change({ answer: text })}
          />
        ) : null}
        <div>
          <Button
            size="sm"
            variant="filled"
            disabled={fault !== null}
            loading={begin.isPending}
            onClick={send}
          >
            Record {counted(chosen.length, 'decision')}
          </Button>
        </div>
        <p className="dim tight" role="status">
          {fault ?? `Ready: ${counted(chosen.length, 'decision')}.`}
        </p>
        <Failure error={begin.error} />
      </Section>
    </div>
  );
}
