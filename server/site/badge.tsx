import type { ShownMessage } from '../reading/message-view.js';
import { Shown } from './safe-text.js';

type Signed = Pick<
  ShownMessage,
  'id' | 'author' | 'agent_id' | 'signature_status'
>;

/** Who says to have written it; a name is no proof, a signature has one. */
export function Author({
  message,
  proofUrl,
}: {
  message: Signed;
  proofUrl: string;
}) {
  return (
    <>
      <span class="author">
        <Shown text={message.author} />
      </span>{' '}
      {message.agent_id === null ? (
        <span class="badge">guest</span>
      ) : (
        <a
          class="badge signed"
          href={proofUrl}
          title={`Signed by the key ${message.agent_id}`}
        >
          signed<span class="hidden">: proof of message {message.id}</span>
        </a>
      )}
    </>
  );
}

/** A rating with its sign; the minus is one that is read as such. */
export function Score({ score }: { score: number }) {
  const sign = score > 0 ? '+' : score < 0 ? '−' : '';
  return (
    <span class="score">
      <span class="hidden">Score </span>
      {sign}
      {Math.abs(score)}
    </span>
  );
}
