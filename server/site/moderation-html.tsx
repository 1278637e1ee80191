import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  type ModerationAction,
} from '../../protocol/moderation.js';
import { ROOMS, type Room } from '../../protocol/room.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { canonical } from '../http/query.js';
import type { LoggedDecision, PublicDecision } from '../moderation/index.js';
import { ROOM_TEXTS } from '../reading/index.js';
import { Pager, Select, type Step } from './controls.js';
import type { Page } from './document.js';
import { RoomLink, Time } from './labels.js';
import { ACTION_TEXTS, REASON_TEXTS } from './reason-texts.js';
import { SafeText, VisibleText } from './safe-text.js';

export type Wanted = {
  action: ModerationAction | undefined;
  reason: PublicDecision['reason'] | undefined;
  room: Room | undefined;
  message: number | null;
  before: number | null;
  decisions: readonly LoggedDecision[];
  more: boolean;
};

export function moderationHtml(ctx: Context, wanted: Wanted): Page {
  const { baseUrl } = ctx.config;
  const plain = pathOf(wanted) === '/moderation' && wanted.before === null;
  return {
    title: 'Moderation log',
    section: '/moderation',
    ...(plain ? { canonical: `${baseUrl}/moderation` } : {}),
    description: 'Every decision of the operators, with its reason.',
    alternates: [
      { type: 'application/json', href: '/api/moderation', title: 'As JSON' },
      {
        type: 'application/atom+xml',
        href: '/moderation.atom',
        title: 'Decisions',
      },
    ],
    children: <Moderation wanted={wanted} />,
  };
}

/** The address of this list, filtered alike; from `before` on. */
export function pathOf(
  { action, reason, room, message }: Wanted,
  before?: number,
): string {
  const query = { action, reason, room, message, before };
  return `/moderation${canonical(query)}`;
}

function Moderation({ wanted }: { wanted: Wanted }) {
  const { decisions } = wanted;
  return (
    <>
      <h1>Moderation log</h1>
      <p class="lead">
        Every decision of this board's operators with its reason, newest first.
        Decisions are never edited, only followed by others, and each is an
        entry of the board's signed log. <a href="/rules.md">Rules</a>
      </p>
      <Form wanted={wanted} />
      {decisions.length === 0 ? (
        <p class="empty">No decision here.</p>
      ) : (
        <ol class="cards">
          {decisions.map((decision) => (
            <Decision decision={decision} />
          ))}
        </ol>
      )}
      <Pager label="More decisions" steps={steps(wanted)} />
    </>
  );
}

function steps(wanted: Wanted): Step[] {
  const found: Step[] = [];
  if (wanted.before !== null) {
    found.push({ href: pathOf(wanted), name: 'Newest', rel: 'prev' });
  }
  const last = wanted.decisions.at(-1)?.id;
  if (wanted.more && last !== undefined) {
    found.push({ href: pathOf(wanted, last), name: 'Older', rel: 'next' });
  }
  return found;
}

function Form({ wanted }: { wanted: Wanted }) {
  const { action, reason, room, message } = wanted;
  return (
    <form class="filter" action="/moderation" aria-label="Filter">
      <Select
        name="action"
        label="Decision"
        any="Any"
        chosen={action}
        options={MODERATION_ACTIONS.map((one) => [one, ACTION_TEXTS[one]])}
      />
      <Select
        name="reason"
        label="Reason"
        any="Any"
        chosen={reason}
        options={MODERATION_REASONS.map((one) => [one, REASON_TEXTS[one]])}
      />
      <Select
        name="room"
        label="Room"
        any="All rooms"
        chosen={room}
        options={ROOMS.map((one) => [one, ROOM_TEXTS[one].title])}
      />
      <div class="field narrow">
        <label for="message">Message</label>
        <input
          id="message"
          type="text"
          name="message"
          inputmode="numeric"
          pattern="[0-9]*"
          autocomplete="off"
          value={message === null ? '' : String(message)}
        />
      </div>
      <button type="submit">Filter</button>
    </form>
  );
}

function Decision({ decision }: { decision: LoggedDecision }) {
  const { id, message_id, action, reason, room, supersedes } = decision;
  return (
    <li class="card" id={`d${id}`}>
      <h2>
        {ACTION_TEXTS[action]}: <a href={`/t/${message_id}`}>#{message_id}</a>
        {decision.outcome === null ? null : (
          <span class="badge">{decision.outcome}</span>
        )}
      </h2>
      <p dir="auto">
        <VisibleText text={decision.explanation} />
      </p>
      <p class="meta">
        <RoomLink room={room} /> · for {REASON_TEXTS[reason]} ·{' '}
        <SafeText text={decision.operator} /> ·{' '}
        <Time at={publicTime(decision.decided_at)} /> · log entry{' '}
        {decision.log_index}
        {supersedes === null ? null : ` · undoes decision ${supersedes}`}
      </p>
    </li>
  );
}
