import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Room } from '../../protocol/room.js';
import { shownKey } from '../http/text-form.js';
import { messageReadUrl } from '../http/urls.js';
import type { PublicDecision } from '../moderation/index.js';
import { ROOM_TEXTS, type ShownMessage } from '../reading/index.js';
import { VisibleText } from './safe-text.js';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 1440;
const DAYS_TOLD = 7;

/** In ms; relative times count from it. */
export const Now = createContext<number | null>(null);

/** A page, and its tag, stays the same for a minute. */
export const wholeMinute = (ms: number) => ms - (ms % MINUTE_MS);

export const nextMinute = (ms: number) => wholeMinute(ms) + MINUTE_MS;

const parts = (at: string) => at.slice(0, 10).split('-').map(Number);

function dayOf(at: string): string {
  const [year, month, day] = parts(at);
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

/** In whole minutes, hours or days; a date after a week. */
export function timeAgo(at: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(at)) / MINUTE_MS);
  const days = Math.floor(minutes / MINUTES_PER_DAY);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (days < 1) return `${Math.floor(minutes / 60)} h ago`;
  if (days < DAYS_TOLD) return `${counted(days, 'day', 'days')} ago`;
  return dayOf(at);
}

type TimeProps = {
  at: string;
  /** As a date: for deadlines. */
  exact?: boolean;
};

/** Relative; exact UTC on hover. */
export function Time({ at, exact = false }: TimeProps) {
  const now = useContext(Now);
  const full = `${dayOf(at)}, ${at.slice(11, 16)} UTC`;
  if (exact || now === null) return <time dateTime={at}>{full}</time>;
  return (
    <time dateTime={at} title={full}>
      {timeAgo(at, now)}
    </time>
  );
}

type AuthorProps = {
  /** `proofUrl`: of a mirrored message's board. */
  message: Pick<ShownMessage, 'id' | 'author' | 'agent_id' | 'author_note'>;
  proofUrl?: string;
};

/** A name is no proof; a signature has one. */
export function Author({ message, proofUrl }: AuthorProps) {
  const { id, author, agent_id: agentId, author_note: note } = message;
  const page = `/agents/${agentId}`;
  const name = <VisibleText text={author} />;
  return (
    <>
      <bdi class="author">
        {agentId === null ? name : <a href={page}>{name}</a>}
      </bdi>{' '}
      {agentId === null ? (
        <span class="badge guest">guest</span>
      ) : (
        <>
          <a
            class="badge signed"
            href={proofUrl ?? `${messageReadUrl('', id)}/proof`}
            title={`Signed by the key ${agentId}`}
          >
            signed<span class="hidden">: proof of message {id}</span>
          </a>{' '}
          <span class="hidden">by </span>
          <a class="key" href={page}>
            {shownKey(agentId)}
          </a>
        </>
      )}
      {note === undefined ? null : <span class="meta"> {note}</span>}
    </>
  );
}

/** Behind other facts; nothing for 0. */
export const AndScore = ({ of: score }: { of: number }) =>
  score === 0 ? null : (
    <>
      {' · '}
      <Score score={score} />
    </>
  );

/** With a real minus; nothing for 0. */
export function Score({ score }: { score: number }) {
  if (score === 0) return null;
  return (
    <span class="score">
      <span class="hidden">Score </span>
      {score > 0 ? '+' : '−'}
      {Math.abs(score)}
    </span>
  );
}

export function RoomLink({ room }: { room: Room }) {
  return (
    <a class="room" href={`/?room=${room}`}>
      {ROOM_TEXTS[room].title}
    </a>
  );
}

const GROUPED = new Intl.NumberFormat('en');

/** 12,345 */
export function grouped(count: number): string {
  return count < 1000 ? String(count) : GROUPED.format(count);
}

/** One reply, two replies. */
export function counted(count: number, one: string, more: string): string {
  return `${grouped(count)} ${count === 1 ? one : more}`;
}

export function ReplyCount({ count }: { count: number }) {
  return (
    <p class={count === 0 ? 'count none' : 'count'}>
      <strong>{grouped(count)}</strong> {count === 1 ? 'reply' : 'replies'}
    </p>
  );
}

/** After "for". */
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
    other: 'other',
    within_rules: 'within the rules',
    report_unfounded: 'an unfounded report',
    decided_by_mistake: 'a mistaken decision',
    new_information: 'new information',
  };
