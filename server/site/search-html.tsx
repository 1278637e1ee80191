import { ROOMS, type Room } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical } from '../http/query.js';
import { messageUrl } from '../http/urls.js';
import { ROOM_TEXTS } from '../reading/index.js';
import type { searchPage } from '../search/index.js';
import { matchParts } from '../search/index.js';
import { Pager, Select } from './controls.js';
import type { Page } from './document.js';
import { Author, RoomLink, Score, Time } from './labels.js';
import { VisibleText } from './safe-text.js';

type Result = Awaited<ReturnType<typeof searchPage>>['data'][number];

export type Found = { results: Result[]; next: string | null };

type Wanted = {
  q: string;
  room: Room | undefined;
  visibility: 'hidden' | 'all' | undefined;
  before: number | null;
  /** Null before anything was looked for. */
  found: Found | null;
  /** Why it could not be looked for. */
  fault?: string;
};

/** The page of a search; results are never indexed by others. */
export function searchHtml(ctx: Context, wanted: Wanted): Page {
  const { baseUrl } = ctx.config;
  const { q } = wanted;
  return {
    title: q === '' ? 'Search' : `Search: ${q}`,
    section: '/search',
    ...(q === '' ? { canonical: `${baseUrl}/search` } : {}),
    children: <Search ctx={ctx} wanted={wanted} />,
  };
}

function Search({ ctx, wanted }: { ctx: Context; wanted: Wanted }) {
  const { found, fault, q, before } = wanted;
  const { room, visibility } = wanted;
  const first = `/search${canonical({ q, room, visibility })}`;
  return (
    <>
      <h1>Search</h1>
      <Form ctx={ctx} wanted={wanted} />
      {fault === undefined ? null : (
        <p class="notice" role="alert">
          {fault}
        </p>
      )}
      {found === null ? (
        <p class="quiet">
          Finds the text as it stands in titles and bodies, whatever its case.
          Newest first.
        </p>
      ) : (
        <Results found={found} q={q} />
      )}
      {found === null ? null : (
        <Pager
          label="More results"
          steps={[
            ...(before === null
              ? []
              : [{ href: first, name: 'First page', rel: 'prev' as const }]),
            ...(found.next === null
              ? []
              : [{ href: found.next, name: 'Older', rel: 'next' as const }]),
          ]}
        />
      )}
    </>
  );
}

function Form({ ctx, wanted }: { ctx: Context; wanted: Wanted }) {
  const { search_min: min, search_max: max } = ctx.limits;
  return (
    <search>
      <form class="search" action="/search">
        <div class="field grow">
          <label for="q">
            Text, {min} to {max} characters
          </label>
          <input
            id="q"
            name="q"
            type="search"
            value={wanted.q}
            required
            autocomplete="off"
          />
        </div>
        <Select
          name="room"
          label="Room"
          any="All rooms"
          chosen={wanted.room}
          options={ROOMS.map((room) => [room, ROOM_TEXTS[room].title])}
        />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

function Results({ found, q }: { found: Found; q: string }) {
  const { results } = found;
  if (results.length === 0) {
    return <p class="empty">Nothing holds this text.</p>;
  }
  return (
    <ol class="cards">
      {results.map((result) => (
        <ResultCard result={result} q={q} />
      ))}
    </ol>
  );
}

function ResultCard({ result, q }: { result: Result; q: string }) {
  const { id, root_id, room, title } = result;
  return (
    <li class="card">
      <h2 dir="auto">
        <a href={messageUrl('', root_id, id)}>
          {title === undefined ? `Reply #${id}` : <Marked text={title} q={q} />}
        </a>
      </h2>
      <Score score={result.score} />
      <p class="excerpt" dir="auto">
        {result.excerpt_offset > 0 ? '…' : null}
        <Marked text={result.body} q={q} />
        {result.truncated ? '…' : null}
      </p>
      <p class="meta">
        <RoomLink room={room} /> · <Author message={result} /> ·{' '}
        <Time at={result.created_at} />
      </p>
    </li>
  );
}

/** The text with the first place that was found set off. */
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
