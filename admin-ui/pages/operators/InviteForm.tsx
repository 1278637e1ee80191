import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type NewInvite, ROLES } from '../../api/access-answers.js';
import { usePost } from '../../api/use-post.js';
import { CopyButton } from '../../parts/CopyButton.js';
import { Failure } from '../../parts/Failure.js';
import { Section } from '../../parts/Section.js';
import { Time } from '../../parts/Time.js';
import { useForm } from '../../parts/use-form.js';

/** Makes a set-up link, which is shown this once. */
export function InviteForm() {
  const form = useForm({ name: '', role: 'moderator' });
  const invite = usePost<NewInvite>(['/operators', '/audit'], form.reset);
  const { data } = invite;
  const send = () =>
    invite.mutate({ path: '/operators/invite', body: form.values });
  return (
    <Section title="Invite">
      <form onSubmit={form.submit(send)} className="filters">
        <TextInput
          label="Name to sign in with"
          required
          maxLength={32}
          autoComplete="off"
          {...form.field('name')}
        />
        <NativeSelect label="Role" data={[...ROLES]} {...form.field('role')} />
        <Button type="submit" loading={invite.isPending}>
          Make a link
        </Button>
      </form>
      <p className="dim">
        For a name that exists, the link replaces its credentials: the way back
        in for somebody who lost them.
      </p>
      <div role="status">
        {data === undefined ? null : (
          <div className="preview">
            <p className="tight">
              For {data.name}, as {data.role}. It works once and ends{' '}
              <Time at={data.expires_at} />. It is shown only now:
            </p>
            <p className="row tight">
              <code className="break">{data.url}</code>
              <CopyButton text={data.url} what="link" />
            </p>
          </div>
        )}
      </div>
      {invite.error === null ? null : <Failure error={invite.error} />}
    </Section>
  );
}
