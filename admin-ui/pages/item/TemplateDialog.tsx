import { useDisclosure } from '@mantine/hooks';
import type { Template } from '../../../server/dashboard/schemas/views.js';
import { Dialog } from '../../parts/Dialog.js';
import { Inert } from '../../parts/Inert.js';
import { KeptNames } from '../../parts/KeptNames.js';
import type { Draft } from './draft.js';

type Props = { draft: Draft; templates: readonly Template[] };

/** Keeps a wording for everybody, and removes those that were kept. */
export function TemplateDialog({ draft, templates }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const { action, reason, explanation } = draft;
  const own = templates.filter(({ updated_at }) => updated_at !== null);
  return (
    <>
      <button type="button" className="link" onClick={open}>
        Keep or remove templates
      </button>
      <Dialog title="Templates" opened={opened} close={close}>
        <p className="tight">
          Write {'{{what is to be filled}}'} where a wording has a gap.
        </p>
        <KeptNames
          kind="template"
          label="Keep the explanation of now as"
          what={
            explanation.trim() === '' ? null : { action, reason, explanation }
          }
          kept={own.map(({ name, updated_by }) => ({
            name,
            shown: (
              <>
                <Inert text={name} />{' '}
                <span className="dim">
                  by <Inert text={updated_by ?? ''} />
                </span>
              </>
            ),
          }))}
        />
      </Dialog>
    </>
  );
}
