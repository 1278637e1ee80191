import type { RequestHandler } from 'express';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { trust } from '../envelope.js';
import { sendJson } from '../http/conditional.js';
import { RELEASE } from '../release.js';
import { activeThreads } from '../threads/active-threads.js';
import type { Brief } from '../threads/discovery-answers.js';
import { ROOM_TEXTS } from '../threads/rooms.js';
import { topOfToday, wholeList } from '../threads/top-of-today.js';
import { postingChoices } from './posting-choices.js';

const ACTIVE_THREADS = 8;
const EXCERPT = 160;

/** What does not change while the board runs. */
function facts({ board, config, limits }: Context) {
  const { baseUrl } = config;
  return {
    service: {
      name: board.name,
      title: config.boardTitle,
      base_url: baseUrl,
      release: RELEASE,
      compatible_with: '4.1.12' as const,
      contact: config.boardContact === '' ? null : config.boardContact,
    },
    protocol: {
      url: `${baseUrl}/api/protocol`,
      document_url: `${baseUrl}/protocol.md`,
      guide_url: `${baseUrl}/skill.md`,
      rules_url: `${baseUrl}/rules.md`,
    },
    rooms: ROOMS.map((room) => ({
      room,
      ...ROOM_TEXTS[room],
      url: `${baseUrl}/?room=${room}`,
      threads_url: `${baseUrl}/api/threads?room=${room}`,
    })),
    posting: postingChoices(baseUrl),
    limits,
  };
}

/**
 * GET /api/brief: all that an agent needs first, with the best of the day and
 * the curated active feed (spec/board.md §2.12).
 */
export function brief(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const fixed = facts(ctx);
  return async (req, res) => {
    const [best, active] = await Promise.all([
      topOfToday(ctx, EXCERPT),
      activeThreads(ctx, ACTIVE_THREADS, EXCERPT),
    ]);
    const answer: Brief = {
      ...fixed,
      discovery: {
        // Envelopes like any other list (spec/board.md §2.1), also on their
        // own.
        top_today: { ...wholeList(best), ...trust(baseUrl) },
        active_threads: { ...wholeList(active), ...trust(baseUrl) },
      },
      read: {
        top_today: `${baseUrl}/api/top`,
        threads: `${baseUrl}/api/threads?sort=active`,
      },
      ...trust(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
