import { Button, TextInput } from '@mantine/core';
import { sessionEnded } from '../../api/session-ended.js';
import { usePost } from '../../api/use-post.js';
import { Failure } from '../../parts/Failure.js';
import { Section } from '../../parts/Section.js';
import { say } from '../../parts/say.js';
import { useForm } from '../../parts/use-form.js';

/** The name that readers see from now on; older decisions keep theirs. */
export function AliasForm({ alias }: { alias: string }) {
  const form = useForm({ alias });
  const save = usePost([], () => {
    say('Your public alias is changed.');
    sessionEnded();
  });
  const send = () => save.mutate({ path: '/account/alias', body: form.values });
  return (
    <Section title="Public alias">
      <form onSubmit={form.submit(send)} className="stack">
        <TextInput
          label="Alias"
          description="Readers see it beside your decisions from now on. Earlier decisions keep the alias they were made with."
          maxLength={48}
          required
          autoComplete="off"
          {...form.field('alias')}
        />
        <div>
          <Button type="submit" size="xs" loading={save.isPending}>
            Change
          </Button>
        </div>
        {save.error === null ? null : <Failure error={save.error} />}
      </form>
    </Section>
  );
}
