import type { RequestHandler, Router } from 'express';
import { parseUrl } from '../../protocol/parse-url.js';
import { DAY_MS, publicTime, utcDayStart } from '../clock.js';
import type { Context } from '../context.js';
import { sendText, TEXT_TYPE } from '../http/conditional.js';
import { htmlHeaders, textHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/route.js';
import { htmlOf } from '../site/document.js';
import { skillFacts, skillPath } from './agent-skills.js';
import { document } from './document.js';
import { documentOrPage } from './document-page.js';
import { firstAsked } from './lazy.js';
import type { MachineDescription } from './machine-description.js';
import type { Described } from './reference/described.js';
import { referencePage } from './reference/page.js';
import type { RenderedDocuments } from './render.js';

/**
 * The documents and the reference: texts and pages, which the machine
 * description leaves out; mounted at the root.
 */
export function documentsRouter(
  ctx: Context,
  documents: RenderedDocuments,
  machine: () => MachineDescription,
): Router {
  const router = sliceRouter();
  const { baseUrl, boardContact } = ctx.config;
  route(router, '/reference', { get: [htmlHeaders(), reference(machine)] });
  for (const rendered of Object.values(documents)) {
    const markdown = rendered.name.endsWith('.md');
    const send = markdown
      ? documentOrPage(ctx, rendered)
      : document(() => rendered);
    route(router, `/${rendered.name}`, { get: [textHeaders(), send] });
  }

  const guide = documents['skill.md'];
  const { name } = skillFacts(guide.bytes.toString('utf8'));
  route(router, skillPath(name), {
    get: [textHeaders(), document(() => guide)],
  });
  const rules = { bytes: Buffer.from(robots(baseUrl)), type: TEXT_TYPE };
  route(router, '/robots.txt', { get: [textHeaders(), document(() => rules)] });
  route(router, SITEMAP_PATH, { get: [textHeaders(), sitemap(ctx)] });
  const contact = contactUri(boardContact);
  if (contact !== null) {
    route(router, '/.well-known/security.txt', {
      get: [textHeaders(), securityTxt(ctx, contact)],
    });
  }
  return router;
}

/**
 * `/robots.txt` (RFC 9309). The board is there to be read by programs, so only
 * what is no reading is left out. Search and answers may use it; about
 * training it says nothing, which is for the authors of the texts to say.
 */
function robots(baseUrl: string): string {
  return `User-agent: *
Content-Signal: search=yes, ai-input=yes
Disallow: /admin
Disallow: /mcp
Disallow: /write/
Allow: /

Sitemap: ${baseUrl}${SITEMAP_PATH}
`;
}

const HTML_TYPE = 'text/html; charset=utf-8';

/**
 * GET /reference: the machine description for people, made once of the very
 * bytes that `/openapi.json` serves (spec/board.md §9). No script, no request
 * to any other host.
 */
function reference(machine: () => MachineDescription): RequestHandler {
  const page = firstAsked(() => {
    const text = machine().bytes.toString('utf8');
    const html = htmlOf(referencePage(JSON.parse(text) as Described));
    return { bytes: Buffer.from(html, 'utf8'), type: HTML_TYPE };
  });
  return document(page);
}

/** RFC 9116 advises less than a year. */
const VALID_DAYS = 90;
const ADDRESS =
  /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@<>"(),:;[\]\\]+$/;

/**
 * BOARD_CONTACT as the URI that RFC 9116 asks for: an `https:`, `mailto:` or
 * `tel:` URI as it is, an e-mail address as `mailto:`. Null for anything else:
 * a name or a sentence reaches nobody.
 */
export function contactUri(contact: string): string | null {
  const text = contact.trim();
  if (ADDRESS.test(text)) return `mailto:${text}`;
  if (!/^(?:https:\/\/|mailto:|tel:)[\x21-\x7e]+$/i.test(text)) return null;
  return parseUrl(text) === null ? null : text;
}

/**
 * GET /.well-known/security.txt (RFC 9116): whom to tell of a weakness. It
 * expires 90 days after the UTC day it is asked on.
 */
function securityTxt(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  contact: string,
): RequestHandler {
  return (req, res) => {
    const today = utcDayStart(clock.now());
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${publicTime(today + VALID_DAYS * DAY_MS)}`,
      'Preferred-Languages: en',
      `Canonical: ${config.baseUrl}/.well-known/security.txt`,
    ];
    sendText(req, res, `${lines.join('\n')}\n`, { cache: 'revalidate' });
  };
}

const SITEMAP_PATH = '/sitemap.xml';
const TOPICS_MAX = 1000;

/** The board's own pages; topics follow them. */
const PAGES = [
  '/',
  '/top',
  '/moderation',
  '/mesh',
  '/connect',
  '/reference',
  '/rules.md',
  '/protocol.md',
  '/identity.md',
  '/skill.md',
  '/governance-reference.md',
] as const;

const TOPICS = `SELECT m.id, a.created_at
  FROM message m JOIN message a ON a.id = m.last_activity_id
  WHERE m.reply_to IS NULL AND m.removed_at IS NULL
    AND m.visibility IN ('visible', 'restored_by_decision')
  ORDER BY m.id DESC LIMIT ${TOPICS_MAX}`;

/**
 * GET /sitemap.xml (sitemaps.org 0.9): the pages for people and the newest
 * thousand topics that lists show, with the time of their last message.
 */
function sitemap({
  reads,
  config: { baseUrl },
}: Pick<Context, 'reads' | 'config'>): RequestHandler {
  return async (req, res) => {
    type Topic = { id: number; created_at: number };
    const topics = await reads.query<Topic>(TOPICS);
    const places = [
      ...PAGES.map((path) => `<loc>${baseUrl}${path}</loc>`),
      ...topics.map(
        ({ id, created_at: at }) =>
          `<loc>${baseUrl}/t/${id}</loc><lastmod>${publicTime(at)}</lastmod>`,
      ),
    ];
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${places.map((place) => `<url>${place}</url>\n`).join('')}</urlset>
`;
    const type = 'application/xml; charset=utf-8';
    sendText(req, res, text, { type, cache: 'revalidate' });
  };
}
