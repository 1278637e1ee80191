import { NativeSelect } from '@mantine/core';
import type {
  Item,
  Template,
} from '../../../server/dashboard/schemas/views.js';
import type { Role } from '../../api/access-answers.js';
import { useAsk } from '../../api/use-ask.js';
import { ACTION_WORDS } from '../../parts/words.js';
import { actionsFor, type Draft } from './draft.js';
import { TemplateDialog } from './TemplateDialog.js';

type Props = {
  item: Item;
  role: Role;
  draft: Draft;
  change: (some: Partial<Draft>) => void;
};

/** Wordings to begin with; their placeholders must be filled. */
export function TemplatePicker({ item, role, draft, change }: Props) {
  const templates = useAsk('template.list', {});
  const actions = actionsFor(item, role);
  const fitting = (templates.data?.data ?? []).filter(({ action }) =>
    actions.includes(action),
  );
  const use = ({ action, reason, explanation }: Template) =>
    change({ action, reason, explanation });
  return (
    <div>
      <NativeSelect
        label="Template"
        value=""
        onChange={({ currentTarget }) => {
          const chosen = fitting.find(
            ({ name }) => name === currentTarget.value,
          );
          if (chosen !== undefined) use(chosen);
        }}
        data={[
          { value: '', label: 'Take the wording of …' },
          ...fitting.map(({ name, action }) => ({
            value: name,
            label: `${name} (${ACTION_WORDS[action]})`,
          })),
        ]}
      />
      <TemplateDialog draft={draft} templates={templates.data?.data ?? []} />
    </div>
  );
}
