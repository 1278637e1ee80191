import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { requestNetwork } from '../http/network.js';
import { searchText } from '../http/openapi/parameters.js';
import { canonical, oneOf, parseQuery, text } from '../http/query.js';
import { messageUrl } from '../http/urls.js';
import { ROOM_TEXTS, viewOptions } from '../reading/index.js';
import { matchParts, searchPage } from '../search/index.js';
import { Cards, Pager, Select } from './controls.js';
import type { Page } from './document.js';
import { Author, RoomLink, Score, Time } from './labels.js';
import { listAsText, messageAsItem, nextAsText } from './list-as-text.js';
import {
  formField,
  numberOrNull,
  pageForm,
  pageQuery,
  sendForm,
  sendPage,
} from './page-form.js';
import { VisibleText } from './safe-text.js';

const EXCERPT = 280;

const QUERY = pageQuery.extend({
  room: formField(oneOf(ROOMS).optional()),
  visibility: oneOf(['hidden', 'all']).optional(),
  before: numberOrNull,
  q: text().default(''),
});

type Result = Awaited<ReturnType<typeof searchPage>>['data'][number];

type Wanted = Omit<z.output<typeof QUERY>, 'format'> & {
  /** Null before anything was looked for. */
  found: { results: Result[]; next: string | null } | null;
  /** Why it could not be looked for. */
  fault?: string;
};

/**
 * GET /search: a form and, with `q`, what contains that text; `room`,
 * `visibility` and `before` mean what they mean for `/api/search`. A text that
 * cannot be searched for is an error on the page, and a refusal as text.
 */
export function search(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const searched = z.object({ q: searchText(ctx.limits) });
  return async (req, res) => {
    const query = parseQuery(QUERY, req.originalUrl);
    const form = pageForm(req, query);
    const { q: sent, room, visibility, before } = query;
    const wanted = { room, visibility, before };
    if (sent === '' && form === 'html') {
      sendPage(req, res, searchHtml(ctx, { ...wanted, q: '', found: null }));
      return;
    }
    let q: string;
    try {
      ({ q } = parseQuery(searched, req.originalUrl));
    } catch (error) {
      if (!(error instanceof BoardError) || form !== 'html') throw error;
      const { search_min: min, search_max: max } = ctx.limits;
      const fault = `This text cannot be looked for: it takes ${min} to ${max} characters.`;
      const page = { ...wanted, q: sent, found: null, fault };
      sendPage(req, res, searchHtml(ctx, page), 400);
      return;
    }
    const network = requestNetwork(req, ctx.trustedProxies);
    ctx.readLimiter.take('searches_per_network_minute', network);
    const { messages_page_default: limit } = ctx.limits;
    const page = { ...wanted, q, limit };
    const view = viewOptions(ctx, { preview: EXCERPT });
    const { data: results, older } = await searchPage(ctx, page, view);
    const more = canonical({ q, room, visibility, before: older });
    const next = older === null ? null : `/search${more}`;
    const found = { results, next };
    await sendForm(req, res, query, {
      html: () => searchHtml(ctx, { ...wanted, q, found }),
      text: () => {
        const head = { q, room, visibility, next: nextAsText(baseUrl, next) };
        const items = results.map((one) => messageAsItem('MESSAGE', one));
        return listAsText('SEARCH', head, items);
      },
    });
  };
}

/** The page of a search; results are never indexed by others. */
function searchHtml(ctx: Context, wanted: Wanted): Page {
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
          Finds the exact text in titles and bodies, in upper or lower case.
          Newest first.
        </p>
      ) : (
        <>
          <Cards empty="Nothing holds this text.">
            {found.results.map((result) => (
              <ResultCard result={result} q={q} />
            ))}
          </Cards>
          <Pager
            label="More results"
            prev={['First page', before === null ? null : first]}
            next={['Older', found.next]}
          />
        </>
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
