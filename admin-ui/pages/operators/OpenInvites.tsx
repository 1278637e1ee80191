import { useMay } from '../../access/use-access.js';
import type { Invite } from '../../api/access-answers.js';
import { usePost } from '../../api/use-post.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { Failure } from '../../parts/Failure.js';
import { Section } from '../../parts/Section.js';
import { Time } from '../../parts/Time.js';

/** Links that still work; their codes are nowhere kept. */
export function OpenInvites({ invites }: { invites: readonly Invite[] }) {
  const admin = useMay('admin');
  const cancel = usePost(['/operators', '/audit']);
  if (invites.length === 0) return null;
  return (
    <Section title="Open links">
      <ul className="plain">
        {invites.map(({ name, role, expires_at }) => (
          <li key={name} className="row">
            <span className="grow">
              {name}, {role}, ends <Time at={expires_at} />
            </span>
            {admin ? (
              <ConfirmButton
                label="Cancel"
                ariaLabel={`Cancel the link for ${name}`}
                act={() =>
                  cancel.mutate({
                    path: `/operators/invites/${encodeURIComponent(name)}/cancel`,
                  })
                }
              >
                The link opens nothing any more.
              </ConfirmButton>
            ) : null}
          </li>
        ))}
      </ul>
      {cancel.error === null ? null : <Failure error={cancel.error} />}
    </Section>
  );
}
