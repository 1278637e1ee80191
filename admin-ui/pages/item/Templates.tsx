import { NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ModerationAction } from '../../../protocol/moderation.js';
import { useAsk } from '../../api/ask.js';
import { Dialog } from '../../parts/Dialog.js';
import { Inert } from '../../parts/Inert.js';
import { shown } from '../../parts/invisible.js';
import { KeptNames } from '../../parts/KeptNames.js';
import { todo } from '../../parts/words.js';
import type { Draft } from './draft.js';

type Props = {
  actions: readonly ModerationAction[];
  draft: Draft;
  change: (some: Partial<Draft>) => void;
};

/** Wordings with placeholders, and the dialog that keeps or removes them. */
export function Templates({ actions, draft, change }: Props) {
  const templates = useAsk('template.list', {}).data?.data ?? [];
  const fitting = templates.filter((it) => actions.includes(it.action));
  const [opened, { open, close }] = useDisclosure(false);
  const { action, reason, explanation } = draft;
  return (
    <div>
      <NativeSelect
        label="Template"
        value=""
        onChange={({ currentTarget: { value } }) => {
          const chosen = fitting.find(({ name }) => name === value);
          if (chosen === undefined) return;
          const { action, reason, explanation } = chosen;
          change({ action, reason, explanation });
        }}
        data={[
          { value: '', label: 'Insert a template' },
          ...fitting.map(({ name, action }) => ({
            value: name,
            label: `${shown(name)} (${todo(action)})`,
          })),
        ]}
      />
      <button type="button" className="link" onClick={open}>
        Manage templates
      </button>
      <Dialog title="Templates" opened={opened} close={close}>
        <p className="tight">
          Write {'{{what is to be filled}}'} where a wording has a gap. One that
          is saved under a name replaces the one that has it.
        </p>
        <KeptNames
          kind="template"
          seen={(its) => ({
            seen: templates.find((it) => it.name === its)?.updated_at ?? null,
          })}
          label="Save the current text as"
          lost="Its text is gone for all operators."
          what={
            explanation.trim() === '' ? null : { action, reason, explanation }
          }
          kept={templates.map(
            ({ name, action, explanation, updated_by: by }) => ({
              name,
              fixed: by === null,
              shown: (
                <>
                  <Inert text={name} />{' '}
                  <span className="dim">
                    ({todo(action)}), {by === null ? 'built in' : 'by '}
                    <Inert text={by} />
                  </span>
                  <p className="dim tight">
                    <Inert text={explanation} />
                  </p>
                </>
              ),
            }),
          )}
        />
      </Dialog>
    </div>
  );
}
