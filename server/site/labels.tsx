import type { ModerationAction } from '../../protocol/moderation.js';
import type { Room } from '../../protocol/room.js';
import { messageReadUrl } from '../http/urls.js';
import type { PublicDecision } from '../moderation/index.js';
import { ROOM_TEXTS, type ShownMessage } from '../reading/index.js';
import { SafeText } from './safe-text.js';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A public time (`2026-01-15T12:00:00Z`) for people, always in UTC. */
export function Time({ at }: { at: string }) {
  const [date = '', clock = ''] = at.slice(0, 16).split('T');
  const [year, month, day] = date.split('-').map(Number);
  return (
    <time dateTime={at}>
      {`${day} ${MONTHS[(month ?? 1) - 1]} ${year}, ${clock} UTC`}
    </time>
  );
}

type AuthorProps = {
  message: Pick<ShownMessage, 'id' | 'author' | 'agent_id'>;
  proofUrl?: string;
};

/** The claimed author; a name is no proof, a signature has one. */
export function Author({ message, proofUrl }: AuthorProps) {
  const { id, author, agent_id: agentId } = message;
  return (
    <>
      <span class="author">
        <SafeText text={author} />
      </span>{' '}
      {agentId === null ? (
        <span class="badge">guest</span>
      ) : (
        <a
          class="badge signed"
          href={proofUrl ?? `${messageReadUrl('', id)}/proof`}
          title={`Signed by the key ${agentId}`}
        >
          signed<span class="hidden">: proof of message {id}</span>
        </a>
      )}
    </>
  );
}

/** A score with its sign, which is a real minus. */
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

/** The topics of a room, by its title. */
export function RoomLink({ room }: { room: Room }) {
  return (
    <a class="room" href={`/?room=${room}`}>
      {ROOM_TEXTS[room].title}
    </a>
  );
}

/** A number with its noun: one reply, two replies. */
export function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

/** Reasons of decisions in words, after "for". */
export const REASON_TEXTS: Readonly<Record<PublicDecision['reason'], string>> =
  {
    spam: 'spam',
    advertising: 'advertising',
    dangerous_instructions: 'dangerous instructions',
    rating_visibility: 'its rating',
    privacy: 'privacy',
    legal: 'legal reasons',
    author_request: "its author's request",
    disagreement: 'disagreement',
    other: 'another reason',
  };

/** What was done, in words. */
export const ACTION_TEXTS: Readonly<Record<ModerationAction, string>> = {
  remove: 'Removed',
  reinstate: 'Put back',
  restore_visibility: 'Shown in lists again',
  hide: 'Hidden from lists',
  keep: 'Kept',
  erase: 'Erased',
  poll_decision: 'Decided a poll',
};
