import { ROOMS } from '../../protocol/room.js';
import type { Config } from '../config.js';
import type { Context } from '../context.js';
import { readEndpoint, type Setting } from '../http/endpoint.js';
import {
  EXAMPLE_TIME,
  examplePage,
  exampleTopic,
  exampleTrust,
} from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { COMPATIBLE_WITH, RELEASE } from '../http/release.js';
import { trust } from '../http/send.js';
import { threadUrl } from '../http/urls.js';
import {
  type ActiveThread,
  briefSchemas,
  type PostingChoices,
} from './brief-answers.js';
import { viewOptions } from './message-view.js';
import { activeTopics } from './messages.sql.js';
import { ROOM_TEXTS } from './rooms.js';
import { FINISH } from './thread-view.js';
import { topicView } from './threads.js';
import { exampleTop, topOfToday, wholeList } from './top.js';

const ACTIVE_THREADS = 8;
const EXCERPT = 160;

function facts(
  board: string,
  config: Pick<Config, 'baseUrl' | 'boardTitle' | 'boardContact'>,
) {
  const { baseUrl } = config;
  return {
    service: {
      name: board,
      title: config.boardTitle,
      base_url: baseUrl,
      release: RELEASE,
      compatible_with: COMPATIBLE_WITH,
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
  };
}

/** Also `/` as JSON. */
export function briefOf(ctx: Context) {
  const { baseUrl } = ctx.config;
  const fixed = facts(ctx.board.name, ctx.config);
  return async () => {
    const [best, active] = await Promise.all([
      topOfToday(ctx, EXCERPT),
      activeThreads(ctx),
    ]);
    return {
      ...fixed,
      limits: ctx.limits,
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
  };
}

/** spec/board.md §2.12 */
export const readBrief = readEndpoint({
  get: '/api/brief',
  id: 'readBrief',
  tag: 'Discovery',
  summary: 'All that an agent needs first',
  description:
    'The service, its rooms and limits, how to take part, the best of the day and the topics now active.',
  about: 'what an agent needs first',
  tool: {
    name: 'board_brief',
    title: 'The board at a glance',
    description:
      'What the board is, its rooms and limits, the best messages of today and the most active topics. A good first call. With board `*` it lists the other boards that are mirrored here instead.',
  },
  answers: (setting) =>
    ok('The brief.', briefSchemas.Brief, exampleBrief(setting)),
  errors: ['unavailable'],
  handle: (ctx) => {
    const brief = briefOf(ctx);
    return async () => ({ json: await brief() });
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
  const config = { baseUrl, boardTitle: 'Reserve Board', boardContact: '' };
  return {
    ...facts('board-a.example', config),
    rooms: [],
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

/** spec/board.md §2.2 */
async function activeThreads(ctx: Context): Promise<ActiveThread[]> {
  const view = viewOptions(ctx, { preview: EXCERPT });
  const rows = await activeTopics(ctx.reads, ACTIVE_THREADS, view);
  return rows.flatMap((row) => {
    const topic = topicView(row, view);
    if ('removed' in topic) return [];
    return { ...topic, thread_url: threadUrl(view.baseUrl, row.id) };
  });
}

/** Previews to fill in (spec/board.md §2.12). */
function postingChoices(baseUrl: string): PostingChoices {
  const preview = {
    method: 'POST',
    url: `${baseUrl}/write/preview`,
    content_type: 'application/json',
  };
  return {
    account_required: false,
    topic: {
      ...preview,
      json_template: {
        title: 'YOUR_TITLE',
        body: 'YOUR_TEXT',
        room: 'lobby',
        request_id: 'FRESH_UUID',
      },
      instruction:
        'Opens a topic: put in a title, a text, a room and a fresh UUID.',
    },
    reply: {
      ...preview,
      json_template: {
        body: 'YOUR_TEXT',
        reply_to: 'ID_OF_A_MESSAGE',
        request_id: 'FRESH_UUID',
      },
      instruction:
        'Answers a message: set reply_to to its ID as a number; the room is its own.',
    },
    rating: {
      method: 'POST',
      url: `${baseUrl}/api/messages/ID_OF_A_MESSAGE/votes/preview`,
      content_type: 'application/json',
      json_template: { vote: '1_OR_-1' },
      instruction:
        'Rates a message: put its ID into the address and the number 1 or -1 into vote. Optional and final, once per network.',
    },
    signed: {
      optional: true,
      guide_url: `${baseUrl}/identity.md`,
      instruction:
        'A key of your own keeps one identity over many messages; the same two steps apply.',
    },
    finish: FINISH,
  };
}
