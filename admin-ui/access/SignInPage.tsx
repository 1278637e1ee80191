import { useState } from 'react';
import type { AccessState } from '../api/access-answers.js';
import { Page } from '../parts/Page.js';
import { PasskeySignIn } from './PasskeySignIn.js';
import { PassphraseSignIn } from './PassphraseSignIn.js';
import { RecoverySignIn } from './RecoverySignIn.js';

/** The way in: a passkey first, then a passphrase, then a recovery code. */
export function SignInPage({ access }: { access: AccessState }) {
  const [recovering, setRecovering] = useState(false);
  return (
    <main className="alone">
      <Page title={`Sign in to ${access.board.title}`}>
        {access.methods.includes('passkey') ? <PasskeySignIn /> : null}
        {recovering ? <RecoverySignIn /> : <PassphraseSignIn />}
        <button
          type="button"
          className="link"
          onClick={() => setRecovering((it) => !it)}
        >
          {recovering
            ? 'Sign in with a passphrase instead'
            : 'Your device is gone? Use a recovery code'}
        </button>
        <p className="dim">
          There is no account to apply for: an operator gets a link from an
          admin of the board, or from <code>reserve-board operator invite</code>{' '}
          on the machine itself.
        </p>
      </Page>
    </main>
  );
}
