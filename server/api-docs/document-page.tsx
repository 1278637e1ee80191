import type { Request, RequestHandler, Response } from 'express';
import MarkdownIt from 'markdown-it';
import { parseUrl } from '../../protocol/parse-url.js';
import type { Config } from '../config.js';
import { acceptedByName } from '../http/accept.js';
import { type Endpoint, SENT } from '../http/endpoint.js';
import { lazy } from '../http/lazy.js';
import { parseQuery } from '../http/query.js';
import { TEXT_TYPE } from '../http/send.js';
import { sendPacked } from '../http/send-compressed.js';
import {
  aboutDocument,
  type Page,
  pageForm,
  pageQuery,
  sendPage,
} from '../site/index.js';
import type { Rendered } from './document.js';

type Sent = Pick<Rendered, 'bytes' | 'type'>;

export function document(ask: () => Sent): RequestHandler {
  return (req, res) => {
    sendDocument(req, res, ask());
  };
}

export function sendDocument(
  req: Request,
  res: Response,
  { bytes, type }: Sent,
) {
  sendPacked(req, res, bytes, { cache: 'revalidate', type });
  return SENT;
}

export function jsonDocument(value: object, type: string): Sent {
  return { bytes: Buffer.from(JSON.stringify(value), 'utf8'), type };
}

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;
const HEADING = /(?<![^\n])# (?<title>[^\n]+)/;
function isWrite({ endpoints }: Around, url: string): boolean {
  const segments = parseUrl(url)?.pathname.split('/') ?? [];
  return endpoints.some(({ method, path }) => {
    const own = method === 'post' ? path.split('/') : [];
    return (
      own.length === segments.length &&
      own.every((part, at) => part.startsWith(':') || part === segments[at])
    );
  });
}

/** Per document; addresses of writes are no links. */
function parser(ctx: Around) {
  const { baseUrl } = ctx.config;
  const md = new MarkdownIt({ linkify: true });
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  md.validateLink = (url) =>
    (url.startsWith(`${baseUrl}/`) || url.startsWith('https://')) &&
    !isWrite(ctx, url) &&
    !/[{<]|%7B|%3C/i.test(url);
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (...args) =>
    (fence?.(...args) ?? '').replace('<pre>', '<pre tabindex="0">');
  const { code_inline: code } = md.renderer.rules;
  // Long names break between words.
  md.renderer.rules.code_inline = (...args) =>
    code?.(...args).replace(/(?<=[\w}])[_/](?=[\w{])/g, '$&<wbr>') ?? '';
  // Wide tables scroll, also by keyboard.
  let tables = 0;
  md.renderer.rules.table_open = () => {
    tables += 1;
    return `<section class="scroll" tabindex="0" aria-label="Table ${tables}"><table>\n`;
  };
  md.renderer.rules.table_close = () => '</table></section>\n';
  return md;
}

export type Around = {
  config: Config;
  endpoints: readonly Pick<Endpoint, 'method' | 'path'>[];
};

function pageOf(ctx: Around, rendered: Rendered): Page {
  const text = rendered.bytes.toString('utf8').replace(FRONT_MATTER, '');
  const title = HEADING.exec(text)?.groups?.title ?? rendered.name;
  const asText = `/${rendered.name}?format=text`;
  return {
    title,
    canonical: rendered.url,
    description: `${title}: ${aboutDocument(`/${rendered.name}`)}.`,
    alternates: [['text', asText, 'As Markdown']],
    children: (
      <>
        <article
          class="body document"
          // Our own text; settings are escaped in it.
          dangerouslySetInnerHTML={{ __html: parser(ctx).render(text) }}
        />
        <p class="meta about">
          This is <a href={asText}>{rendered.name}</a>, a document of this
          board. Its SHA-256 hash is listed at{' '}
          <a href="/api/protocol">/api/protocol</a>.
        </p>
      </>
    ),
  };
}

/** HTML only for clients that prefer it and without `format=text`. */
export function documentOrPage(
  ctx: Around,
  ask: () => Rendered,
): RequestHandler {
  const page = lazy(() => pageOf(ctx, ask()));
  return (req, res) => {
    const form = pageForm(req, parseQuery(pageQuery, req.originalUrl));
    res.vary('Accept');
    if (form === 'text') sendDocument(req, res, { ...ask(), type: TEXT_TYPE });
    else if (acceptedByName(req) === 'html') sendPage(req, res, page());
    else sendDocument(req, res, ask());
  };
}
