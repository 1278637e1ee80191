import {
  And,
  type FindOptionsWhere,
  In,
  IsNull,
  LessThanOrEqual,
  MoreThan,
} from 'typeorm';
import { toBase64 } from '../../../protocol/bytes.js';
import { fold } from '../../../protocol/fold.js';
import type { Context } from '../../context.js';
import { windowEnd } from '../../db/budgets.js';
import { Message } from '../../db/entities/message.js';
import type { Sql } from '../../db/sql.js';
import { BoardError, type SuggestedAction, toPost } from '../../errors.js';
import { messageReadUrl, messageUrl } from '../../http/urls.js';
import type { AppendContext } from '../../ledger/append.js';
import { SERIES_ROOTS, SERIES_WINDOW_MS } from '../../limits.js';
import { openPollsRefusal } from '../../polls/index.js';
import {
  archiveState,
  collapse,
  findArchived,
  WHITE_SPACE_SQL,
  wantedKeys,
} from '../../search/index.js';
import type { Routing } from '../answers.js';
import type { Parent } from '../draft.js';
import { type FunnelRow, newestFunnelTarget } from '../posting.sql.js';
import type { WriteTicket } from '../publish-facts.js';
import type { Submission } from '../submission.js';
import { type Traits, traitsOf } from './traits.js';

/** For phrases of common words only. */
const TIME_MS = 2000;

type FunnelTarget = Parent & { phrase: string };

/** Null: it stays a topic (spec/board.md §4.7). */
export async function funnelTarget(
  sql: Sql,
  phrases: readonly string[],
): Promise<FunnelTarget | null> {
  let earliest: FunnelTarget | null = null;
  for (const phrase of phrases) {
    const found = await targetOf(sql, phrase);
    if (found === null || (earliest && earliest.id <= found.id)) continue;
    earliest = found;
  }
  return earliest;
}

async function targetOf(
  sql: Sql,
  phrase: string,
): Promise<FunnelTarget | null> {
  const needle = collapse(fold(phrase));
  const words = needle.split(' ');
  const word = words.reduce((a, b) => (b.length > a.length ? b : a));
  // Newest first: what is archived in between is found by both.
  const newest = await newestFunnelTarget(sql, needle, word, WHITE_SPACE_SQL);
  const row = (await archivedTarget(sql, needle)) ?? newest;
  if (row === null) return null;
  return {
    phrase,
    id: row.id,
    rootId: row.id,
    room: row.room,
    messageHash: row.messageHash,
  };
}

async function archivedTarget(
  sql: Sql,
  needle: string,
): Promise<FunnelRow | null> {
  const [row] = await findArchived(sql, await archiveState(sql), {
    keys: wantedKeys(...needle.split(' ')),
    below: Number.MAX_SAFE_INTEGER,
    order: 'oldest',
    limit: 1,
    until: performance.now() + TIME_MS,
    check: async (ids) => {
      const rows = await sql.manager.find(Message, {
        select: { id: true, room: true, messageHash: true, body: true },
        where: { id: In(ids), replyTo: IsNull(), removedAt: IsNull() },
        order: { id: 'ASC' },
      });
      return rows.filter(({ body }) =>
        collapse(fold(body ?? '')).includes(needle),
      );
    },
  });
  return row ?? null;
}

export function routingOf(target: FunnelTarget): Routing {
  const { phrase } = target;
  return {
    rule: 'funnel',
    phrase,
    target_id: target.id,
    reason: `A topic with the phrase "${phrase}" exists already; your message becomes a reply to it and its title is dropped.`,
  };
}

/** Another target than at the preview (spec/board.md §12). */
export function funnelChanged(target: FunnelTarget | null): BoardError {
  const routing =
    target === null
      ? null
      : {
          ...routingOf(target),
          parent_hash: toBase64(target.messageHash),
        };
  return new BoardError(
    'funnel_thread_changed',
    'The topic this message is routed to changed since the preview; preview it again with the same request_id.',
    routing === null ? {} : { routing },
  );
}

/** Newest first; empty while one more is allowed (spec/board.md §4.7). */
export async function seriesTopics(
  sql: Sql,
  traits: Traits,
  now: number,
  baseUrl: string,
): Promise<Topic[]> {
  const { seriesPrefix, seriesStructure } = traits;
  const series: FindOptionsWhere<Message>[] = [];
  if (seriesPrefix !== null) series.push({ seriesPrefix });
  if (seriesStructure !== null) series.push({ seriesStructure });
  const since = now - SERIES_WINDOW_MS;
  for (const same of series) {
    const rows = await sql.manager.find(Message, {
      select: { id: true, title: true },
      where: {
        ...same,
        createdAt: And(MoreThan(since), LessThanOrEqual(windowEnd(now))),
        removedAt: IsNull(),
      },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: 5,
    });
    if (rows.length >= SERIES_ROOTS) return topicsOf(rows, baseUrl);
  }
  return [];
}

export function seriesAnswer(
  it: Pick<Submission, 'body' | 'name' | 'requestId' | 'poll'>,
  topics: Topic[],
  baseUrl: string,
) {
  const latest = topics[0]?.id ?? null;
  const without =
    it.poll === null ? '' : ' A reply has no poll: the poll is left out.';
  return {
    detail: `Two topics of this series were opened within 24 hours; continue it as a reply to one of them.${without}`,
    existing_topics: topics,
    suggested_action: asReply(
      it,
      latest,
      baseUrl,
      `Preview the same text as a reply to the newest topic of the series, or choose another of existing_topics.${without}`,
    ),
  };
}

export function asReply(
  it: Pick<Submission, 'body' | 'name' | 'requestId'>,
  to: number | null,
  baseUrl: string,
  instruction: string,
): SuggestedAction {
  const { body, requestId, name } = it;
  const template = { body, request_id: requestId, name, reply_to: to };
  return toPost(`${baseUrl}/write/preview`, template, instruction);
}

type Topic = ReturnType<typeof topicsOf>[number];

export function topicsOf(
  rows: readonly Pick<Message, 'id' | 'title'>[],
  baseUrl: string,
) {
  return rows.map(({ id, title }) => ({
    id,
    title: title ?? '',
    url: messageUrl(baseUrl, id, id),
    read_url: messageReadUrl(baseUrl, id),
  }));
}

export async function topicRefusal(
  ctx: Pick<Context, 'config' | 'limits'>,
  { tx, now, batch }: AppendContext,
  { draft, requestId }: WriteTicket,
): Promise<BoardError | null> {
  const { name, body, title, poll } = draft.submitted;
  const { baseUrl, funnelPhrases } = ctx.config;
  const traits = traitsOf(title ?? '', body, funnelPhrases);
  const isPlain = draft.replyTo === null && poll === null;
  const isSeries = (traits.seriesPrefix ?? traits.seriesStructure) !== null;
  const isCompared = isSeries || traits.funnelPhrases.length > 0;
  if (isPlain && !isCompared) return null;
  // Earlier jobs' topics count, too.
  await batch.buffer.flush();
  const target = await funnelTarget(tx, traits.funnelPhrases);
  if ((target?.id ?? null) !== draft.replyTo) return funnelChanged(target);
  if (target !== null) return null;
  const topics = await seriesTopics(tx, traits, now, baseUrl);
  if (topics.length === 0) {
    return poll === null ? null : await openPollsRefusal(tx, ctx.limits, now);
  }
  const it = { body, name, requestId, poll };
  const { detail, ...extras } = seriesAnswer(it, topics, baseUrl);
  return new BoardError('series_requires_reply', detail, extras);
}
