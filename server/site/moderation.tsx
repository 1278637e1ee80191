import type { RequestHandler } from 'express';
import type { z } from 'zod';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  namesOf,
} from '../../protocol/moderation.js';
import { ROOMS } from '../../protocol/room.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { canonical, oneOf, parseQuery, text } from '../http/query.js';
import {
  decisionLog,
  type LoggedDecision,
  publicDecision,
} from '../moderation/index.js';
import { ROOM_TEXTS, topicTitles } from '../reading/index.js';
import { Cards, Fold, Input, Pager, Select } from './controls.js';
import type { Page } from './document.js';
import { REASON_TEXTS, RoomLink, Time } from './labels.js';
import { listAsText, nextAsText } from './list-as-text.js';
import { formField, numberOrNull, pageQuery, sendForm } from './page-form.js';
import { SafeText, VisibleText } from './safe-text.js';

const PAGE_SIZE = 30;

const QUERY = pageQuery.extend({
  action: formField(oneOf(MODERATION_ACTIONS).optional()),
  reason: formField(oneOf(MODERATION_REASONS).optional()),
  room: formField(oneOf(ROOMS).optional()),
  operator: formField(text().optional()),
  message: formField(numberOrNull),
  before: numberOrNull,
});

type Query = Omit<z.output<typeof QUERY>, 'format'>;

type Wanted = Query & {
  decisions: readonly LoggedDecision[];
  /** By root, of topics that are not removed. */
  titles: ReadonlyMap<number, string>;
  next: string | null;
};

/** GET /moderation, filtered and paged (spec/board.md §2.19, §8). */
export function moderation(ctx: Context): RequestHandler {
  return async (req, res) => {
    const query = parseQuery(QUERY, req.originalUrl);
    const { action, reason, room, operator, message, before } = query;
    const wanted = { action, reason, room, operator, message, before };
    const asked = { ...wanted, limit: PAGE_SIZE + 1 };
    const rows = await decisionLog(ctx.reads, asked);
    const roots = rows.map(({ root_id }) => root_id);
    const titles = await topicTitles(ctx.reads, roots);
    const page = (most: number) => {
      const decisions = rows.slice(0, most);
      const last = rows.length > most ? decisions.at(-1)?.id : undefined;
      const next = last === undefined ? null : pathOf(wanted, last);
      return { ...wanted, decisions, titles, next };
    };
    await sendForm(req, res, query, {
      html: (most) => moderationHtml(ctx, page(Math.min(most, PAGE_SIZE))),
      text: () => decisionsAsText(ctx, page(PAGE_SIZE)),
    });
  };
}

function decisionsAsText(ctx: Context, { decisions, next }: Wanted): string {
  const items = decisions.map((row) => {
    const { explanation: body, ...decision } = publicDecision(row);
    const { message_id, room, poll_id, outcome } = row;
    const about = { ...decision, message_id, room, poll_id, outcome };
    return { label: 'DECISION', about, body };
  });
  const head = {
    board: ctx.board.name,
    title: 'Moderation log',
    next: nextAsText(ctx.config.baseUrl, next),
  };
  return listAsText('DECISIONS', head, items, 'operators');
}

function moderationHtml(ctx: Context, wanted: Wanted): Page {
  const { baseUrl } = ctx.config;
  const plain = pathOf(wanted) === '/moderation' && wanted.before === null;
  return {
    title: 'Moderation log',
    section: '/moderation',
    items: wanted.decisions.length,
    ...(plain ? { canonical: `${baseUrl}/moderation` } : {}),
    now: ctx.clock.now(),
    description: 'Every decision of the operators, with its reason.',
    alternates: [
      ['json', '/api/moderation', 'As JSON'],
      ['atom', '/moderation.atom', 'Decisions'],
    ],
    children: <Moderation wanted={wanted} />,
  };
}

const ANY = { message: null, before: null } as const;

function pathOf(
  { action, reason, room, operator, message }: Query,
  before?: number,
): string {
  const query = { action, reason, room, operator, message, before };
  return `/moderation${canonical(query)}`;
}

const NO_MATCH = (
  <>
    No decisions match. <a href="/moderation">Show all decisions</a>
  </>
);

function Moderation({ wanted }: { wanted: Wanted }) {
  const { decisions, before, next } = wanted;
  const isFiltered = before !== null || pathOf(wanted) !== '/moderation';
  return (
    <>
      <h1>Moderation log</h1>
      <p class="lead">
        Every decision of this board's operators with its reason, newest first.
        Decisions are never edited; a newer one can replace them. Each is an
        entry of the board's signed log. <a href="/rules.md">Rules</a> ·{' '}
        <a href="/moderation.atom">Feed</a>
      </p>
      <Form wanted={wanted} />
      <Cards empty={isFiltered ? NO_MATCH : 'No decisions yet.'}>
        {alike(decisions).map(([decision, ...more]) =>
          more.length > 0 ? (
            <Removals decisions={[decision, ...more]} />
          ) : (
            <Decision
              decision={decision}
              title={wanted.titles.get(decision.root_id)}
            />
          ),
        )}
      </Cards>
      <Pager
        label="More decisions"
        prev={['Newest', before === null ? null : pathOf(wanted)]}
        next={['Older', next]}
      />
    </>
  );
}

function Form({ wanted }: { wanted: Wanted }) {
  const { action, reason, room, operator = '', message } = wanted;
  return (
    <Fold name="Filter" open={pathOf(wanted) !== '/moderation'}>
      <form class="filter" action="/moderation" aria-label="Filter">
        <Select
          name="action"
          label="Decision"
          any="Any"
          chosen={action}
          options={MODERATION_ACTIONS.map((one) => [one, namesOf(one)[1]])}
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
        <Input
          name="operator"
          label="Operator"
          size="narrow"
          value={operator}
        />
        <Input
          name="message"
          label="Message"
          size="narrow"
          inputmode="numeric"
          pattern="[0-9]*"
          value={message ?? ''}
        />
        <button type="submit">Filter</button>
      </form>
    </Fold>
  );
}

type Alike = [LoggedDecision, ...LoggedDecision[]];

/** Removals in a row with the same words are one, as of a wave of copies. */
function alike(decisions: readonly LoggedDecision[]): Alike[] {
  const groups: Alike[] = [];
  for (const one of decisions) {
    const last = groups.at(-1);
    if (last && sharedWords(one) === sharedWords(last[0])) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function sharedWords(one: LoggedDecision): string {
  const { id, action, supersedes, superseded_by: later } = one;
  const isPlain = action === 'remove' && supersedes === null && later === null;
  const { reason, room, operator, explanation } = one;
  return JSON.stringify(isPlain ? [reason, room, operator, explanation] : id);
}

function Removals({ decisions }: { decisions: Alike }) {
  const [{ room, reason, operator, explanation, decided_at }] = decisions;
  return (
    <li class="card">
      <h2>
        {namesOf('remove')[1]}: {decisions.length} messages, one explanation
      </h2>
      <p dir="auto">
        <VisibleText text={explanation} />
      </p>
      <p class="meta">
        <RoomLink room={room} /> · reason: {REASON_TEXTS[reason]} ·{' '}
        <a href={pathOf({ ...ANY, operator })}>
          <SafeText text={operator} />
        </a>{' '}
        · <Time at={publicTime(decided_at)} />
      </p>
      <Fold name="Each with its decision" open={false}>
        <ul>
          {decisions.map(({ id, message_id, log_index }) => (
            <li id={`d${id}`}>
              <a href={`/t/${message_id}`}>#{message_id}</a> · decision {id} ·
              log entry {log_index}
            </li>
          ))}
        </ul>
      </Fold>
    </li>
  );
}

type DecisionProps = { decision: LoggedDecision; title: string | undefined };

function Decision({ decision, title }: DecisionProps) {
  const { id, message_id, root_id, action, reason, room } = decision;
  const { operator, supersedes, superseded_by: later } = decision;
  const isTopic = message_id === root_id;
  return (
    <li class={later === null ? 'card' : 'card replaced'} id={`d${id}`}>
      <h2>
        {namesOf(action, decision.stays_hidden)[1]}:{' '}
        <a href={`/t/${message_id}`}>
          {isTopic ? 'topic' : 'reply'} #{message_id}
        </a>
        {title === undefined ? null : (
          <>
            {isTopic ? ', ' : ' in '}
            <SafeText text={title} />
          </>
        )}{' '}
        {decision.outcome === null ? null : (
          <span class="badge">{decision.outcome}</span>
        )}
      </h2>
      <p dir="auto">
        <VisibleText text={decision.explanation} />
      </p>
      <p class="meta">
        Decision {id} · <RoomLink room={room} /> · reason:{' '}
        {REASON_TEXTS[reason]} ·{' '}
        <a href={pathOf({ ...ANY, operator })}>
          <SafeText text={operator} />
        </a>{' '}
        · <Time at={publicTime(decision.decided_at)} /> · log entry{' '}
        {decision.log_index}
        {supersedes === null ? null : (
          <>
            {' · '}
            <a href={`/moderation?message=${message_id}#d${supersedes}`}>
              replaces decision {supersedes}
            </a>
          </>
        )}
        {later === null ? null : (
          <>
            {' · '}
            <a href={`/moderation?message=${message_id}#d${later}`}>
              replaced by decision {later}
            </a>
          </>
        )}
      </p>
    </li>
  );
}
