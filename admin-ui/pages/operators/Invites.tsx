import { NativeSelect, TextInput } from '@mantine/core';
import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { ROLES } from '../../../server/dashboard/roles.js';
import { useMay } from '../../access/use-access.js';
import { usePost } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { CopyButton } from '../../parts/CopyButton.js';
import { Form, useForm } from '../../parts/Form.js';
import { Section } from '../../parts/Page.js';
import { Time } from '../../parts/Time.js';

const RENEWS = ['/operators', '/audit'];

/** The link is shown only once. */
export function InviteForm() {
  const form = useForm({ name: '', role: 'moderator' });
  const invite = usePost<'operator.invite'>(RENEWS, form.reset);
  const { data } = invite;
  const send = () =>
    invite.mutate({ path: '/operators/invite', body: form.values });
  return (
    <Section title="Invite">
      <Form
        grid
        label="Make a link"
        size="sm"
        send={send}
        work={invite}
        form={form}
      >
        <TextInput
          label="Name to sign in with"
          required
          maxLength={32}
          autoComplete="off"
          {...form.field('name')}
        />
        <NativeSelect label="Role" data={[...ROLES]} {...form.field('role')} />
      </Form>
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
    </Section>
  );
}

/** Their codes are stored nowhere. */
export function OpenInvites({
  invites,
}: Pick<CommandAnswers['operator.list'], 'invites'>) {
  const admin = useMay('admin');
  const cancel = usePost(RENEWS);
  const path = (name: string) =>
    `/operators/invites/${encodeURIComponent(name)}/cancel`;
  if (invites.length === 0) return null;
  return (
    <Section title="Open links">
      <ul className="plain">
        {invites.map(({ name, role, made_by: by, expires_at }) => (
          <li key={name} className="row">
            <span className="grow">
              {name}, {role}, made {by ? `by ${by}` : 'on the command line'},
              ends <Time at={expires_at} />
            </span>
            {admin ? (
              <ConfirmButton
                label="Cancel"
                ariaLabel={`Cancel the link for ${name}`}
                act={() => cancel.mutate({ path: path(name) })}
              >
                The link opens nothing any more.
              </ConfirmButton>
            ) : null}
          </li>
        ))}
      </ul>
      <Failure error={cancel.error} />
    </Section>
  );
}
