import type { RequestHandler } from 'express';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { sendText } from '../http/conditional.js';

export const SITEMAP_PATH = '/sitemap.xml';
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
export function sitemap({
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
