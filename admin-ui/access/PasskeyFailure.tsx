import { isRefusal } from '../api/refusal.js';
import { Failure } from '../parts/Failure.js';

/** What the board refused, or that the device gave no answer. */
export function PasskeyFailure({ error }: { error: Error | null }) {
  if (error === null) return null;
  if (isRefusal(error)) return <Failure error={error} />;
  return (
    <p className="fault" role="alert">
      The device gave no passkey: it was cancelled, took too long, or there is
      none for this board. Try again, or use the passphrase.
    </p>
  );
}
