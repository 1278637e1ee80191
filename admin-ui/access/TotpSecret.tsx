import { create } from 'qrcode';
import { useMemo } from 'react';
import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import { CopyButton } from '../parts/CopyButton.js';

const QUIET = 4;

export function TotpSecret({ offer }: { offer: CommandAnswers['setup.totp'] }) {
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

/** All dark modules in one path; no canvas and no request. */
function pathOf(text: string): { path: string; size: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size, data } = modules;
  let path = '';
  for (let n = 0; n < size * size; n += 1) {
    if (data[n] !== 1) continue;
    const [x, y] = [(n % size) + QUIET, Math.floor(n / size) + QUIET];
    path += `M${x} ${y}h1v1h-1z`;
  }
  return { path, size: size + 2 * QUIET };
}

/** Always dark on white, as scanners need it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => pathOf(text), [text]);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img">
      <title>{label}</title>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
