import { Button, Textarea, TextInput } from '@mantine/core';
import { useCommand } from '../../api/use-ask.js';
import { Failure } from '../../parts/Failure.js';
import { Section } from '../../parts/Section.js';
import { useForm } from '../../parts/use-form.js';

/** The first days of the last month and of this one, in UTC. */
function lastMonth(now: Date): { from: string; to: string } {
  const day = (months: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
      .toISOString()
      .slice(0, 10);
  return { from: day(-1), to: day(0) };
}

/** A period for the node to compute. */
export function DraftForm({ done }: { done: () => void }) {
  const form = useForm({ ...lastMonth(new Date()), note: '' });
  const draft = useCommand('usefulness.draft', done);
  return (
    <Section title="New draft">
      <form
        className="stack"
        onSubmit={form.submit(() => draft.mutate(form.values))}
      >
        <div className="filters">
          <TextInput
            label="First UTC day"
            type="date"
            required
            {...form.field('from')}
          />
          <TextInput
            label="The day after the last"
            type="date"
            required
            {...form.field('to')}
          />
        </div>
        <Textarea
          label="Public note"
          description="What the figures do not say. It can be changed until it is published."
          rows={3}
          {...form.field('note')}
        />
        <div>
          <Button type="submit" loading={draft.isPending}>
            Compute the figures
          </Button>
        </div>
        {draft.error === null ? null : <Failure error={draft.error} />}
      </form>
    </Section>
  );
}
