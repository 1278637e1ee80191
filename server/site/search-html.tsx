import { ROOMS, type Room } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical } from '../http/query.js';
import { messageUrl } from '../http/urls.js';
import { ROOM_TEXTS } from '../reading/index.js';
import { matchParts, type searchPage } from '../search/index.js';
import { plainWords } from './bodies.js';
import { Fold, Input, Pager, Select } from './controls.js';
import type { Page } from './document.js';
import { AndScore, Author, counted, RoomLink, Time } from './labels.js';
import { SafeText, VisibleText } from './safe-text.js';

type Result = Awaited<ReturnType<typeof searchPage>>['data'][number];

/** Undefined: does not narrow. */
export type Filters = {
  /** Words in any order. */
  match: 'all' | 'any' | undefined;
  room: Room | undefined;
  visibility: 'hidden' | 'all' | undefined;
  /** Exact display name. */
  author: string | undefined;
  within: 'day' | 'week' | 'month' | undefined;
};

type Found = {
  results: Result[];
  titles: ReadonlyMap<number, string>;
  next: string | null;
  /** What finds something where nothing was found. */
  better: 'all' | 'any' | null;
};

export type Wanted = Filters & {
  q: string;
  before: number | null;
  /** Null before a search. */
  found: Found | null;
  fault?: string;
};

export function searchHtml(ctx: Context, wanted: Wanted): Page {
  const { baseUrl } = ctx.config;
  const { q } = wanted;
  return {
    title: q === '' ? 'Search' : `Search: ${q}`,
    section: '/search',
    ...(wanted.found ? { items: wanted.found.results.length } : {}),
    now: ctx.clock.now(),
    ...(q === ''
      ? {
          canonical: `${baseUrl}/search`,
          description: 'Finds a text in the titles and messages of this board.',
        }
      : {}),
    children: <Search wanted={wanted} />,
  };
}

function Search({ wanted }: { wanted: Wanted }) {
  const { found, fault, q, before } = wanted;
  return (
    <>
      <h1>Search</h1>
      <Form wanted={wanted} />
      {fault === undefined ? null : (
        <p class="notice" role="alert">
          {fault}
        </p>
      )}
      {found === null ? (
        <p class="quiet">
          Finds exactly this text in titles and messages; capitals make no
          difference. The newest messages come first.
        </p>
      ) : found.results.length === 0 ? (
        <Nothing wanted={wanted} />
      ) : (
        <>
          <p class="quiet">{summaryOf(wanted, found)}</p>
          <ol class="cards">
            {found.results.map((result) => (
              <ResultCard
                result={result}
                topic={found.titles.get(result.root_id)}
                q={q}
              />
            ))}
          </ol>
          <Pager
            label="More results"
            prev={['First page', before === null ? null : pathOf(wanted)]}
            next={['Older', found.next]}
          />
        </>
      )}
    </>
  );
}

function summaryOf({ before }: Wanted, { results, next }: Found): string {
  if (before !== null) return 'Older messages, newest first.';
  if (next !== null) return `The newest ${results.length} messages.`;
  const all = counted(results.length, 'message', 'messages');
  return results.length === 1 ? `${all}.` : `${all}, newest first.`;
}

function pathOf(wanted: Wanted, changed: Partial<Filters> = {}): string {
  const now = { ...wanted, ...changed };
  const { q, match, room, visibility, author, within } = now;
  const query = { q, match, room, visibility, author, within };
  return `/search${canonical(query)}`;
}

function Nothing({ wanted }: { wanted: Wanted }) {
  const { q, room, author, within, visibility, found } = wanted;
  const better = found?.better ?? null;
  const isFiltered = [room, author, within].some((it) => it !== undefined);
  const none = { room: undefined, author: undefined, within: undefined };
  return (
    <div class="empty">
      <p>
        No messages contain “<SafeText text={q} />”
        {isFiltered ? ' with these filters' : null}.
      </p>
      <p>
        {wanted.match === undefined
          ? 'Search matches exact text; try fewer words, or one.'
          : 'Each word was searched separately; try fewer words.'}
        {better === null ? null : (
          <>
            {' '}
            Or{' '}
            <a href={pathOf(wanted, { match: better })}>
              {better === 'all'
                ? 'find each word, in any order'
                : 'find at least one of the words'}
            </a>
            .
          </>
        )}
        {isFiltered ? (
          <>
            {' '}
            Or <a href={pathOf(wanted, none)}>search everywhere</a>.
          </>
        ) : null}
        {visibility === undefined ? (
          <>
            {' '}
            Or{' '}
            <a href={pathOf(wanted, { visibility: 'all' })}>
              look in hidden topics, too
            </a>
            .
          </>
        ) : null}
      </p>
    </div>
  );
}

function Form({ wanted }: { wanted: Wanted }) {
  const { room, author, within } = wanted;
  const isNarrowed = [room, author, within].some((it) => it !== undefined);
  return (
    <search>
      <form class="search" action="/search">
        <Input
          name="q"
          label="Search for"
          size="grow"
          type="search"
          value={wanted.q}
          required
        />
        <button type="submit">Search</button>
        <Fold name="Narrow it down" open={isNarrowed}>
          <div class="filter">
            <Select
              name="room"
              label="Room"
              any="All rooms"
              chosen={wanted.room}
              options={ROOMS.map((room) => [room, ROOM_TEXTS[room].title])}
            />
            <Select
              name="within"
              label="Time"
              any="Any time"
              chosen={wanted.within}
              options={[
                ['day', 'Last 24 hours'],
                ['week', 'Last 7 days'],
                ['month', 'Last 30 days'],
              ]}
            />
            <Input name="author" label="Author" value={wanted.author ?? ''} />
          </div>
        </Fold>
        {wanted.match === undefined ? null : (
          <input type="hidden" name="match" value={wanted.match} />
        )}
        {wanted.visibility === undefined ? null : (
          <input type="hidden" name="visibility" value={wanted.visibility} />
        )}
      </form>
    </search>
  );
}

type ResultProps = { result: Result; topic: string | undefined; q: string };

function ResultCard({ result, topic, q }: ResultProps) {
  const { id, root_id, room, title } = result;
  return (
    <li class="card">
      <h2 dir="auto">
        <a href={messageUrl('', root_id, id)}>
          {title === undefined ? (
            <>
              <span class="quiet">Reply in </span>
              <VisibleText text={topic ?? `removed topic #${root_id}`} />
            </>
          ) : (
            <Marked text={title} q={q} />
          )}
        </a>
      </h2>
      <p class="excerpt" dir="auto">
        <Marked text={shownPart(result, q)} q={q} />
      </p>
      <p class="meta">
        <RoomLink room={room} /> · <Author message={result} /> · #{id} ·{' '}
        <Time at={result.created_at} />
        <AndScore of={result.score} />
      </p>
    </li>
  );
}

/** Without Markdown unless that is what matched. */
function shownPart({ body, excerpt_offset: at, truncated }: Result, q: string) {
  const words = plainWords(body);
  const isPlain = matchParts(words, q) !== null || matchParts(body, q) === null;
  const text = isPlain ? words : body;
  const from = startOf(matchParts(text, q)?.[0] ?? '');
  const isCut = at > 0 || from > 0;
  return `${isCut ? '…' : ''}${text.slice(from)}${truncated ? '…' : ''}`;
}

/** Characters before a match that fit a phone's first line. */
const BEFORE = 30;

/** At a word, if there is one, with the match in sight. */
function startOf(before: string): number {
  if (before.length <= 2 * BEFORE) return 0;
  const near = before.length - BEFORE;
  const space = before.indexOf(' ', near);
  if (space >= 0) return space + 1;
  return /^[\udc00-\udfff]/.test(before.slice(near)) ? near - 1 : near;
}

function Marked({ text, q }: { text: string; q: string }) {
  const parts = matchParts(text, q);
  if (parts === null) return <VisibleText text={text} />;
  const [before, match, after] = parts;
  return (
    <>
      <VisibleText text={before} />
      <mark>
        <VisibleText text={match} />
      </mark>
      <VisibleText text={after} />
    </>
  );
}
