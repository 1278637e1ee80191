import type { Room } from '../../protocol/room.js';
import { messageReadUrl } from '../http/urls.js';
import type { ShownMessage } from '../reading/index.js';
import { ROOM_TEXTS } from '../reading/index.js';
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

type Signed = Pick<ShownMessage, 'id' | 'author' | 'agent_id'>;

/** The claimed author; a name is no proof, a signature has one. */
export function Author({
  message,
  proofUrl = `${messageReadUrl('', message.id)}/proof`,
}: {
  message: Signed;
  proofUrl?: string;
}) {
  return (
    <>
      <span class="author">
        <SafeText text={message.author} />
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
