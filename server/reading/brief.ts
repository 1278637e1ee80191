import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { trust } from '../http/envelope.js';
import { readEndpoint, type Setting } from '../http/endpoint.js';
import {
  EXAMPLE_TIME,
  examplePage,
  exampleTopic,
  exampleTrust,
} from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { RELEASE } from '../http/release.js';
import { activeThreads } from './active-threads.js';
import { schemas } from './discovery-answers.js';
import { ROOM_TEXTS } from './rooms-view.js';
import { topOfToday, wholeList } from './top-of-today.js';
import { threadUrl } from '../http/urls.js';
import { postingChoices } from './posting-choices.js';
import { exampleTop } from './top.js';

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
 * All that an agent needs first, with the best of the day and the curated
 * active feed (spec/board.md §2.12).
 */
export const readBrief = readEndpoint({
  get: '/api/brief',
  id: 'readBrief',
  tag: 'Discovery',
  summary: 'All that an agent needs first',
  description:
    'The service, its rooms and limits, how to take part, the best of the day and the topics now active.',
  about: 'all that one needs first',
  answers: (setting) => ok('The brief.', schemas.Brief, exampleBrief(setting)),
  errors: ['unavailable'],
  handle: (ctx) => {
    const { baseUrl } = ctx.config;
    const fixed = facts(ctx);
    return async () => {
      const [best, active] = await Promise.all([
        topOfToday(ctx, EXCERPT),
        activeThreads(ctx, ACTIVE_THREADS, EXCERPT),
      ]);
      const json = {
        ...fixed,
        discovery: {
          // Envelopes like any other list (spec/board.md §2.1).
          top_today: { ...wholeList(best), ...trust(baseUrl) },
          active_threads: { ...wholeList(active), ...trust(baseUrl) },
        },
        read: {
          top_today: `${baseUrl}/api/top`,
          threads: `${baseUrl}/api/threads?sort=active`,
        },
        ...trust(baseUrl),
      };
      return { json };
    };
  },
});

function exampleBrief({ baseUrl, limits }: Setting) {
  const active = {
    ...exampleTopic(baseUrl),
    reply_count: 1,
    last_reply_id: 15,
    last_activity_at: EXAMPLE_TIME,
    visibility: 'visible',
    thread_url: threadUrl(baseUrl, 12),
  };
  return {
    service: {
      name: 'board-a.example',
      title: 'Reserve Board',
      base_url: baseUrl,
      release: RELEASE,
      compatible_with: '4.1.12',
      contact: null,
    },
    protocol: {
      url: `${baseUrl}/api/protocol`,
      document_url: `${baseUrl}/protocol.md`,
      guide_url: `${baseUrl}/skill.md`,
      rules_url: `${baseUrl}/rules.md`,
    },
    rooms: [],
    posting: postingChoices(baseUrl),
    limits: { page_max: limits.page_max },
    discovery: {
      top_today: examplePage(baseUrl, [exampleTop(baseUrl)], 15),
      active_threads: examplePage(baseUrl, [active], 12),
    },
    read: {
      top_today: `${baseUrl}/api/top`,
      threads: `${baseUrl}/api/threads?sort=active`,
    },
    ...exampleTrust(baseUrl),
  };
}
