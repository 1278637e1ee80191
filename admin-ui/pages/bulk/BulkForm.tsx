import { Button, Checkbox, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import {
  EXPLANATION_MAX,
  type ModerationAction,
  reasonsOf,
} from '../../../protocol/moderation.js';
import { useAccess } from '../../access/use-access.js';
import { Failure } from '../../parts/Answered.js';
import { counted, lengthOf } from '../../parts/figures.js';
import { Section } from '../../parts/Page.js';
import { Select } from '../../parts/Select.js';
import { ACTION_EFFECTS, ACTION_WORDS, plain } from '../../parts/words.js';
import type { Draft } from '../item/draft.js';
import { PlaceholderFields } from '../item/PlaceholderFields.js';
import { faultOf } from '../item/placeholders.js';
import { Templates } from '../item/Templates.js';
import type { Chosen } from '../queue/use-selection.js';
import { beginBulk } from './run-bulk.js';

const ACTIONS: readonly ModerationAction[] = [
  ...(['remove', 'keep', 'hide', 'restore_visibility', 'reinstate'] as const),
];

type Props = {
  chosen: readonly Chosen[];
  /** The board has the whole bulk. */
  begun: (bulk: string) => void;
};

export function BulkForm({ chosen, begun }: Props) {
  const admin = useAccess().data?.operator?.role === 'admin';
  const actions = admin ? [...ACTIONS, 'erase' as const] : ACTIONS;
  const [action, setAction] = useState<ModerationAction | ''>('');
  const [draft, setDraft] = useState<Omit<Draft, 'action'>>({
    ...{ reason: 'other', outcome: 'accepted', explanation: '', note: '' },
    ...{ supersedes: '', settles: true },
  });
  const [bulk] = useState(() => crypto.randomUUID());
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const { reason, explanation, note, settles } = draft;
  const begin = useMutation({
    mutationFn: (decided: ModerationAction) =>
      beginBulk(
        {
          ...{ bulk, action: decided, reason, explanation },
          ...(note.trim() === '' ? {} : { private_note: note }),
          settle_reports: settles,
        },
        chosen,
      ),
    onSuccess: begun,
  });
  const change = ({ action: to, ...some }: Partial<Draft>) => {
    if (to !== undefined) setAction(to);
    setDraft((before) => {
      const after = { ...before, ...some };
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
        <Select
          ref={first}
          label="What to do"
          description={action === '' ? undefined : ACTION_EFFECTS[action]}
          options={['', ...actions]}
          words={(it) => (it === '' ? 'Choose …' : ACTION_WORDS[it])}
          value={action}
          choose={(it) => (it === '' ? setAction('') : change({ action: it }))}
        />
        {action === '' ? null : (
          <>
            <Select
              label="Reason"
              options={reasonsOf(action)}
              words={plain}
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
        <Textarea
          label="Public explanation"
          description={`Public and permanent, beside each of them. ${lengthOf(explanation)} of ${EXPLANATION_MAX} characters.`}
          rows={4}
          required
          value={explanation}
          onChange={({ currentTarget }) =>
            change({ explanation: currentTarget.value })
          }
        />
        <PlaceholderFields
          text={explanation}
          change={(text) => change({ explanation: text })}
        />
        <Textarea
          label="Private note"
          description="For operators only. You can leave it empty."
          rows={2}
          value={note}
          onChange={({ currentTarget }) =>
            change({ note: currentTarget.value })
          }
        />
        <Checkbox
          label="Settle their open reports"
          checked={settles}
          onChange={({ currentTarget }) =>
            change({ settles: currentTarget.checked })
          }
        />
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
