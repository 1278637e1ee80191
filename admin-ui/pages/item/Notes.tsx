import { Textarea } from '@mantine/core';
import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import type { Item } from '../../../server/dashboard/commands/item.js';
import { useMay } from '../../access/use-access.js';
import { useCommand } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/Dialog.js';
import { Form, useForm } from '../../parts/Form.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { Time } from '../../parts/Time.js';
import { renewItem } from './ClaimBar.js';

export function Notes({ item: { subject, notes } }: { item: Item }) {
  const writes = useMay('moderator');
  const admin = useMay('admin');
  const form = useForm({ note: '' });
  const add = useCommand('note.add', () => {
    form.reset();
    renewItem();
  });
  const remove = useCommand('note.remove', renewItem);
  return (
    <Section title={`Private notes (${notes.length})`}>
      <ul className="plain">
        {notes.map(({ id, note, operator, mine, at }) => (
          <li key={id}>
            <p className="row tight">
              <span className="dim">
                <Inert text={operator} />, <Time at={at} />
              </span>
              {mine || admin ? (
                <ConfirmButton
                  label="Remove"
                  ariaLabel={`Remove the note of ${operator}`}
                  act={() => remove.mutate({ id })}
                >
                  <Inert text={note} />
                </ConfirmButton>
              ) : null}
            </p>
            <Inert text={note} />
          </li>
        ))}
      </ul>
      {writes ? (
        <Form
          label="Add the note"
          w="fit-content"
          send={() => add.mutate({ subject, note: form.values.note })}
          work={add}
          form={form}
        >
          <Textarea
            label="New note"
            description="For operators only; readers never see it."
            rows={2}
            required
            maxLength={EXPLANATION_MAX}
            {...form.field('note')}
          />
        </Form>
      ) : null}
      <Failure error={remove.error} />
    </Section>
  );
}
