import type { Credentials } from '../../api/access-answers.js';
import { usePost } from '../../api/use-post.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { Failure } from '../../parts/Failure.js';
import { Inert } from '../../parts/Inert.js';
import { Time } from '../../parts/Time.js';

export function PasskeyList({ passkeys }: Pick<Credentials, 'passkeys'>) {
  const remove = usePost(['/credentials', '/sessions']);
  return (
    <>
      <h3>Passkeys</h3>
      {passkeys.length === 0 ? <p className="dim tight">None.</p> : null}
      <ul className="plain">
        {passkeys.map(({ id, label, created_at, used_at }) => (
          <li key={id} className="row">
            <span className="grow">
              <Inert text={label} />, since <Time at={created_at} />,{' '}
              {used_at === null ? (
                'never used'
              ) : (
                <>
                  used <Time at={used_at} />
                </>
              )}
            </span>
            <ConfirmButton
              label="Remove"
              ariaLabel={`Remove the passkey ${label}`}
              act={() =>
                remove.mutate({ path: `/credentials/passkey/${id}/remove` })
              }
            >
              It opens nothing any more, and your other devices are signed out.
            </ConfirmButton>
          </li>
        ))}
      </ul>
      {remove.error === null ? null : <Failure error={remove.error} />}
    </>
  );
}
