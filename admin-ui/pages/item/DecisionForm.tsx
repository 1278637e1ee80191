import { Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useEffect, useRef } from 'react';
import {
  EXPLANATION_MAX,
  POLL_OUTCOMES,
} from '../../../protocol/moderation.js';
import type { Item } from '../../../server/dashboard/schemas/views.js';
import type { Role } from '../../api/access-answers.js';
import { lengthOf } from '../../parts/figures.js';
import {
  ACTION_EFFECTS,
  ACTION_WORDS,
  OUTCOME_WORDS,
  plain,
} from '../../parts/words.js';
import { useKeys } from '../../shell/use-keys.js';
import { actionsFor, type Draft, reasonFor, reasonsFor } from './draft.js';
import { openReports } from './open-reports.js';
import { PlaceholderFields } from './PlaceholderFields.js';
import { TemplatePicker } from './TemplatePicker.js';

type Props = {
  item: Item;
  role: Role;
  draft: Draft;
  change: (some: Partial<Draft>) => void;
  /** Begin here: somebody pressed d or u. */
  focus: boolean;
};

export function DecisionForm({ item, role, draft, change, focus }: Props) {
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (focus) first.current?.focus();
  }, [focus]);
  useKeys({ d: () => first.current?.focus() });
  const standing = item.decisions.filter((it) => it.superseded_by === null);
  const waiting = openReports(item).length;
  const reported = item.reports.map(({ reason }) => reason);
  const act = (action: Draft['action']) =>
    change({ action, reason: reasonFor(action, [draft.reason, ...reported]) });
  return (
    <div className="stack">
      <NativeSelect
        ref={first}
        label="What to do"
        description={ACTION_EFFECTS[draft.action]}
        value={draft.action}
        onChange={({ currentTarget }) =>
          act(currentTarget.value as Draft['action'])
        }
        data={actionsFor(item, role).map((value) => ({
          value,
          label: ACTION_WORDS[value],
        }))}
      />
      {draft.action === 'poll_decision' ? (
        <NativeSelect
          label="Answer to the proposal"
          value={draft.outcome}
          onChange={({ currentTarget }) =>
            change({ outcome: currentTarget.value as Draft['outcome'] })
          }
          data={POLL_OUTCOMES.map((value) => ({
            value,
            label: OUTCOME_WORDS[value],
          }))}
        />
      ) : null}
      <NativeSelect
        label="Reason"
        value={draft.reason}
        onChange={({ currentTarget }) =>
          change({ reason: currentTarget.value as Draft['reason'] })
        }
        data={reasonsFor(draft.action).map((value) => ({
          value,
          label: plain(value),
        }))}
      />
      <TemplatePicker item={item} role={role} draft={draft} change={change} />
      <Textarea
        label="Public explanation"
        description={`Everybody can read it, for ever. ${lengthOf(draft.explanation)} of ${EXPLANATION_MAX} characters.`}
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
              label: `${id}: ${ACTION_WORDS[action]}, by ${operator}`,
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
