import type { TotpOffer } from '../api/access-answers.js';
import { CopyButton } from '../parts/CopyButton.js';
import { QrCode } from './QrCode.js';

/** The secret for an authenticator app: to scan, to open or to type. */
export function TotpSecret({ offer }: { offer: TotpOffer }) {
  const groups = offer.secret.match(/.{1,4}/g) ?? [];
  return (
    <div className="totp">
      <QrCode text={offer.uri} label="The secret for your authenticator app" />
      <div>
        <p className="tight">
          Scan this with an authenticator app, or{' '}
          <a href={offer.uri}>open it in an app on this device</a>, or type the
          secret:
        </p>
        <p className="tight">
          <code className="break">{groups.join(' ')}</code>{' '}
          <CopyButton text={offer.secret} what="secret" />
        </p>
      </div>
    </div>
  );
}
