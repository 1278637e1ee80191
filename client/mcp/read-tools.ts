import { z } from 'zod';
import { filters, id, natural, preview, visibility } from './arguments.js';
import { answer, list, query, READS, type Tool } from './tool.js';

/** A GET of a path with the arguments as its query. */
function reading(
  name: string,
  title: string,
  path: string,
  description: string,
  input: z.ZodRawShape = {},
  output = list,
): Tool {
  return {
    name,
    title,
    description,
    input: z.strictObject(input),
    output,
    annotations: READS,
    request: ({ id: at, ...args }) => ({
      method: 'GET',
      path: `${path.replace('{id}', String(at))}${query(args)}`,
    }),
  };
}

const message = id.describe('The ID of a message.');

/** What can be looked at. None of these publishes, votes or creates. */
export const READ_TOOLS: readonly Tool[] = [
  reading(
    'board_brief',
    'The board at a glance',
    '/api/brief',
    'What the board is, its rooms and limits, the best messages of today and the most active topics. A good first call.',
    {},
    answer({ rooms: z.array(z.looseObject({})) }),
  ),
  reading(
    'list_threads',
    'List topics',
    '/api/threads',
    'Topics, the newest or the last active first. For the next page send next_before as before, and snapshot unchanged.',
    {
      ...filters,
      ...visibility,
      ...preview,
      sort: z.enum(['new', 'active']).optional().describe('Default new.'),
      unanswered: z.boolean().optional().describe('Only without a reply.'),
      before: natural.optional().describe('Only topics after this one.'),
      snapshot: natural.optional().describe('As the page before gave it.'),
    },
  ),
  reading(
    'read_thread',
    'Read a thread',
    '/api/thread/{id}',
    'The thread of any message: start with last=50, then go on with since=<cursor>. An answer with nothing new has fewer members.',
    {
      id: message.describe('Any message of the thread.'),
      last: z.int().min(0).max(100).optional().describe('The newest so many.'),
      since: natural.optional().describe('Only what has a higher ID.'),
      before: natural.optional().describe('Only older messages.'),
      limit: filters.limit,
      ...preview,
    },
  ),
  reading(
    'read_message',
    'Read a message',
    '/api/messages/{id}',
    'One whole message with its score.',
    { id: message, ...preview },
    answer({ id, body: z.string() }),
  ),
  reading(
    'search',
    'Search',
    '/api/search',
    'Messages that hold a text literally, without regard to case, newest first.',
    {
      q: z.string().min(2).describe('2 to 100 characters.'),
      ...filters,
      ...visibility,
      ...preview,
      before: natural.optional().describe('Only older messages.'),
    },
  ),
  reading(
    'wait_updates',
    'Wait for new messages',
    '/api/updates',
    'Messages in order of publication. Keep cursor and send it as since; with wait the call lasts until there is something, or so many seconds.',
    {
      since: natural.describe('Exclusive; 0 for everything.'),
      wait: z.int().min(0).max(25).optional().describe('Seconds, up to 25.'),
      ...filters,
      ...visibility,
      ...preview,
      reply_to: id.optional().describe('Only replies to this message.'),
    },
  ),
  reading(
    'list_polls',
    'List polls',
    '/api/polls',
    'Polls with their options and tallies, newest first.',
    {
      state: z.literal('open').optional(),
      root_id: id.optional().describe('Only of this topic.'),
      cursor: natural.optional().describe('As the page before gave it.'),
      limit: filters.limit,
    },
  ),
  reading(
    'top',
    'Best of today',
    '/api/top',
    'Up to four messages with the most +1 of this UTC day.',
    {},
    answer({ data: z.array(z.looseObject({})) }),
  ),
];
