import { Button } from '@mantine/core';
import { CodeInput } from '../../access/CodeInput.js';
import { PassphraseInput } from '../../access/SetUpPassphrase.js';
import { TotpSecret } from '../../access/TotpSecret.js';
import type { TotpOffer } from '../../api/access-answers.js';
import { usePost } from '../../api/use-post.js';
import { Failure } from '../../parts/Failure.js';
import { say } from '../../parts/say.js';
import { Time } from '../../parts/Time.js';
import { useForm } from '../../parts/use-form.js';

/** A first or another passphrase, with a new secret for the app. */
export function PassphraseForm({ since }: { since: string | null }) {
  const form = useForm({ passphrase: '', totp: '' });
  const offer = usePost<TotpOffer>([]);
  const save = usePost(['/credentials', '/sessions'], () => {
    say('The passphrase is set. Your other devices are signed out.');
    form.reset();
    offer.reset();
  });
  const send = () =>
    save.mutate({
      path: '/credentials/passphrase',
      body: { ...form.values, totp_token: offer.data?.token ?? '' },
    });
  return (
    <>
      <h3>Passphrase</h3>
      <p className="tight">
        {since === null ? (
          'None is set. '
        ) : (
          <>
            Set <Time at={since} />.{' '}
          </>
        )}
        {offer.data === undefined ? (
          <Button
            size="compact-xs"
            variant="default"
            loading={offer.isPending}
            onClick={() => offer.mutate({ path: '/credentials/totp' })}
          >
            {since === null ? 'Set one' : 'Change it'}
          </Button>
        ) : null}
      </p>
      {offer.error === null ? null : <Failure error={offer.error} />}
      {offer.data === undefined ? null : (
        <form onSubmit={form.submit(send)} className="stack">
          <PassphraseInput
            value={form.values.passphrase}
            onChange={form.set('passphrase')}
          />
          <TotpSecret offer={offer.data} />
          <CodeInput {...form.field('totp')} />
          <div>
            <Button type="submit" size="xs" loading={save.isPending}>
              Set the passphrase
            </Button>
          </div>
          {save.error === null ? null : <Failure error={save.error} />}
        </form>
      )}
    </>
  );
}
