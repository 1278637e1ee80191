import type { RequestHandler, Router } from 'express';
import { parseUrl } from '../../protocol/parse-url.js';
import { DAY_MS, publicTime, utcDayStart } from '../clock.js';
import type { Context } from '../context.js';
import { Message } from '../db/entities/message.js';
import type { Sql } from '../db/sql.js';
import { HIDDEN } from '../db/states.js';
import { BoardError } from '../errors.js';
import { lazy } from '../http/lazy.js';
import { route, strictRouter } from '../http/route.js';
import {
  HTML_TYPE,
  htmlHeaders,
  sendText,
  TEXT_TYPE,
  textHeaders,
} from '../http/send.js';
import { htmlOf, type Page } from '../site/index.js';
import { PART_NAMES } from './description-part.js';
import { DOCUMENT_NAMES, type Documented, type Hashed } from './document.js';
import { type Around, document, documentOrPage } from './document-page.js';
import type { Described } from './reference/described.js';
import { referenceIndex, referencePart } from './reference/page.js';
import { skillName, skillPath } from './well-known.js';

/** Described in `document-operations.ts`; mounted at the root. */
export function documentsRouter(
  ctx: Documented & Pick<Around, 'endpoints'>,
): Router {
  const router = strictRouter();
  const { baseUrl, boardContact } = ctx.config;
  const text = (path: string, handler: RequestHandler) =>
    route(router, path, { get: [textHeaders(), handler] });
  const pages = referencePages(ctx);
  route(router, '/reference', { get: [htmlHeaders(), pages.index] });
  route(router, '/reference/:part', { get: [htmlHeaders(), pages.part] });
  for (const name of DOCUMENT_NAMES) {
    const rendered = () => ctx.documents()[name];
    text(
      `/${name}`,
      name.endsWith('.md') ? documentOrPage(ctx, rendered) : document(rendered),
    );
  }
  text(
    skillPath(skillName(ctx.board.name)),
    document(() => ctx.documents()['skill.md']),
  );
  const rules = { bytes: Buffer.from(robots(baseUrl)), type: TEXT_TYPE };
  text(
    '/robots.txt',
    document(() => rules),
  );
  text(SITEMAP_PATH, sitemap(ctx));
  const contact = contactUri(boardContact);
  if (contact !== null) {
    text('/.well-known/security.txt', securityTxt(ctx, contact));
  }
  return router;
}

/** RFC 9309 directives only: checkers refuse others. */
function robots(baseUrl: string): string {
  return `User-agent: *
Disallow: /admin
Allow: /

Sitemap: ${baseUrl}${SITEMAP_PATH}
`;
}

/** From the bytes of `/openapi.json` (spec/board.md §9); no script. */
function referencePages({ config, description }: Documented) {
  const html = (of: () => Hashed, page: (document: Described) => Page) =>
    document(
      lazy(() => {
        const described = JSON.parse(of().bytes.toString('utf8')) as Described;
        const text = htmlOf(config.boardTitle, page(described));
        return { bytes: Buffer.from(text, 'utf8'), type: HTML_TYPE };
      }),
    );
  const parts = new Map(
    PART_NAMES.map((name) => [
      name,
      html(
        () => description().part(name),
        (described) => referencePart(described, name),
      ),
    ]),
  );
  const part: RequestHandler = (req, res, next) => {
    const page = parts.get(String(req.params.part));
    if (page === undefined) {
      throw new BoardError(
        'not_found',
        `There is no group of this name; these are: ${PART_NAMES.join(', ')}.`,
      );
    }
    page(req, res, next);
  };
  return { index: html(description, referenceIndex), part };
}

/** RFC 9116 advises less than a year. */
const VALID_DAYS = 90;
const ADDRESS =
  /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@<>"(),:;[\]\\]+$/;

/** As RFC 9116 wants it; null for a contact that is no address. */
export function contactUri(contact: string): string | null {
  const text = contact.trim();
  if (ADDRESS.test(text)) return `mailto:${text}`;
  if (!/^(?:https:\/\/|mailto:|tel:)[\x21-\x7e]+$/i.test(text)) return null;
  return parseUrl(text) === null ? null : text;
}

/** GET /.well-known/security.txt (RFC 9116); expires after 90 days. */
function securityTxt(
  { config, clock }: Context,
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

export const SITEMAP_PATH = '/sitemap.xml';
const TOPICS_MAX = 1000;

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
  '/mesh.md',
  '/verify.md',
  '/skill.md',
  '/heartbeat.md',
  '/governance-reference.md',
] as const;

/** As listed, with the time of the last message. */
function newestTopics({ manager }: Sql) {
  return manager
    .createQueryBuilder(Message, 'm')
    .innerJoin(Message, 'a', 'a.id = m.lastActivityId')
    .select('m.id', 'id')
    .addSelect('a.createdAt', 'at')
    .where('m.replyTo IS NULL AND m.removedAt IS NULL')
    .andWhere('m.visibility NOT IN (:...hidden)', { hidden: HIDDEN })
    .orderBy('m.id', 'DESC')
    .limit(TOPICS_MAX)
    .getRawMany<{ id: number; at: number }>();
}

/** GET /sitemap.xml: pages and the newest thousand topics. */
function sitemap({ reads, config }: Context): RequestHandler {
  const { baseUrl } = config;
  return async (req, res) => {
    const topics = await newestTopics(reads);
    const places = [
      ...PAGES.map((path) => `<loc>${baseUrl}${path}</loc>`),
      ...topics.map(
        ({ id, at }) =>
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
