import { Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useEffect, useRef } from 'react';
import {
  EXPLANATION_MAX,
  POLL_OUTCOMES,
} from '../../../protocol/moderation.js';
import type { Item } from '../../../server/dashboard/commands/item.js';
import type { Role } from '../../../server/dashboard/roles.js';
import { lengthOf } from '../../parts/figures.js';
import { shown } from '../../parts/invisible.js';
import { Select } from '../../parts/Select.js';
import {
  ACTION_EFFECTS,
  ACTION_WORDS,
  OUTCOME_WORDS,
  plain,
} from '../../parts/words.js';
import { useKeys } from '../../shell/use-keys.js';
import {
  actionsFor,
  type Draft,
  openReports,
  reasonFor,
  reasonsFor,
} from './draft.js';
import { PlaceholderFields } from './PlaceholderFields.js';
import { Templates } from './Templates.js';

type Props = {
  item: Item;
  role: Role;
  draft: Draft;
  change: (some: Partial<Draft>) => void;
  /** True: somebody pressed d or u. */
  focus: boolean;
};

export function DecisionForm({ item, role, draft, change, focus }: Props) {
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (focus) first.current?.focus();
  }, [focus]);
  useKeys({ d: () => first.current?.focus() });
  const standing = item.decisions.filter((it) => it.superseded_by === null);
  const waiting = openReports(item.reports).length;
  const reported = item.reports.map(({ reason }) => reason);
  const actions = actionsFor(item, role);
  return (
    <div className="stack">
      <Select
        ref={first}
        label="What to do"
        description={ACTION_EFFECTS[draft.action]}
        options={actions}
        words={(it) => ACTION_WORDS[it]}
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
        options={reasonsFor(draft.action)}
        words={plain}
        value={draft.reason}
        choose={(reason) => change({ reason })}
      />
      <Templates actions={actions} draft={draft} change={change} />
      <Textarea
        label="Public explanation"
        description={`Public and permanent. ${lengthOf(draft.explanation)} of ${EXPLANATION_MAX} characters.`}
        rows={6}
        required
        value={draft.explanation}
        onChange={({ currentTarget }) =>
          change({ explanation: currentTarget.value })
        }
      />
      <PlaceholderFields
        text={draft.explanation}
        change={(explanation) => change({ explanation })}
      />
      <Textarea
        label="Private note"
        description="For operators only. You can leave it empty."
        rows={2}
        value={draft.note}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
      />
      {standing.length === 0 ? null : (
        <NativeSelect
          label="Takes back"
          value={draft.supersedes}
          onChange={({ currentTarget }) =>
            change({ supersedes: currentTarget.value })
          }
          data={[
            { value: '', label: 'No earlier decision' },
            ...standing.map(({ id, action, operator }) => ({
              value: String(id),
              label: `${id}: ${ACTION_WORDS[action]}, by ${shown(operator)}`,
            })),
          ]}
        />
      )}
      {waiting === 0 ? null : (
        <Checkbox
          label={`Settle ${waiting === 1 ? 'the open report' : `all ${waiting} open reports`}`}
          checked={draft.settles}
          onChange={({ currentTarget }) =>
            change({ settles: currentTarget.checked })
          }
        />
      )}
    </div>
  );
}
