import type { RequestHandler } from 'express';
import MarkdownIt from 'markdown-it';
import type { Context } from '../context.js';
import { parseQuery } from '../http/query-fields.js';
import { acceptedByName } from '../site/accept.js';
import type { Page } from '../site/document.js';
import { pageForm, pageQuery } from '../site/page-form.js';
import { sendPage } from '../site/send-page.js';
import { document } from './document.js';
import { firstAsked } from './lazy.js';
import type { Rendered } from './render.js';

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;
const HEADING = /^# (?<title>.+)$/m;
/** An address that writes is told, and leads nowhere. */
const WRITES = /\/(?:write|mcp|votes|reports|keys)(?:\/|$)/;

function parser(baseUrl: string) {
  const md = new MarkdownIt({ linkify: true });
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  md.validateLink = (url) =>
    (url.startsWith(`${baseUrl}/`) || url.startsWith('https://')) &&
    !WRITES.test(url) &&
    !/[{<]|%7B|%3C/i.test(url);
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (...args) =>
    (fence?.(...args) ?? '').replace('<pre>', '<pre tabindex="0">');
  // Wide tables scroll by themselves, and by the keyboard too.
  md.renderer.rules.table_open = () =>
    '<section class="scroll" tabindex="0" aria-label="Table"><table>\n';
  md.renderer.rules.table_close = () => '</table></section>\n';
  return md;
}

function pageOf({ config }: Pick<Context, 'config'>, rendered: Rendered): Page {
  const { boardTitle: board, baseUrl } = config;
  const text = rendered.bytes.toString('utf8').replace(FRONT_MATTER, '');
  const title = HEADING.exec(text)?.groups?.title ?? rendered.name;
  const asText = `/${rendered.name}?format=text`;
  return {
    board,
    title,
    canonical: rendered.url,
    alternates: [{ type: 'text/plain', href: asText, title: 'As Markdown' }],
    children: (
      <>
        <p class="meta">
          This is <a href={asText}>{rendered.name}</a>, a document of this
          board. Its SHA-256 stands in <a href="/api/protocol">/api/protocol</a>
          .
        </p>
        <article
          class="body document"
          // Our own text; what settings bring in is escaped.
          dangerouslySetInnerHTML={{ __html: parser(baseUrl).render(text) }}
        />
      </>
    ),
  };
}

/**
 * GET of a Markdown document: its very bytes, as they were hashed at the
 * start, or a page of them for whoever names HTML rather than Markdown, as
 * browsers do. `format=text` gives the bytes to a browser, too.
 */
export function documentOrPage(
  ctx: Pick<Context, 'config'>,
  rendered: Rendered,
): RequestHandler {
  const page = firstAsked(() => pageOf(ctx, rendered));
  const asText = { ...rendered, type: 'text/plain; charset=utf-8' };
  const raw = document(() => rendered);
  const plain = document(() => asText);
  return (req, res, next) => {
    const form = pageForm(req, parseQuery(pageQuery, req.originalUrl));
    res.vary('Accept');
    if (form === 'text') plain(req, res, next);
    else if (acceptedByName(req) === 'html') sendPage(req, res, page());
    else raw(req, res, next);
  };
}
