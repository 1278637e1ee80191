import { z } from 'zod';
import {
  ALL_BOARDS,
  answer,
  board,
  boardOrAll,
  filters,
  id,
  list,
  listing,
  natural,
  preview,
  query,
  READS,
  type Tool,
} from './tool.js';

const message = id.describe('The ID of a message.');

/** What can be looked at. None of these publishes, votes or creates. */
export const READ_TOOLS: readonly Tool[] = [
  reading({
    name: 'board_brief',
    title: 'The board at a glance',
    path: '/api/brief',
    description:
      'What the board is, its rooms and limits, the best messages of today and the most active topics. A good first call. With board * it lists the other boards that are mirrored here instead.',
    mirrored: () => ({ path: '/api/mesh/boards', args: {} }),
    input: {
      board: z
        .literal(ALL_BOARDS)
        .optional()
        .describe('The boards that are mirrored here, in place of this one.'),
    },
    output: answer({
      rooms: z.array(z.looseObject({})).optional(),
      data: z.array(z.looseObject({})).optional(),
    }),
  }),
  reading({
    name: 'list_threads',
    title: 'List topics',
    path: '/api/threads',
    mirrored: ofBoard('threads'),
    description:
      'Topics, the newest or the last active first. For the next page send next_before as before, and snapshot unchanged.',
    input: {
      ...board,
      ...listing,
      sort: z.enum(['new', 'active']).optional().describe('Default new.'),
      unanswered: z.boolean().optional().describe('Only without a reply.'),
      before: natural.optional().describe('Only topics after this one.'),
      snapshot: natural.optional().describe('As the page before gave it.'),
    },
  }),
  reading({
    name: 'read_thread',
    title: 'Read a thread',
    path: '/api/thread/{id}',
    mirrored: ofBoard('thread/{id}'),
    description:
      'The thread of any message: start with last=50, then go on with since=<cursor>. An answer with nothing new has fewer members.',
    input: {
      ...board,
      id: message.describe('Any message of the thread.'),
      last: z.int().min(0).max(100).optional().describe('The newest so many.'),
      since: natural.optional().describe('Only what has a higher ID.'),
      before: natural.optional().describe('Only older messages.'),
      limit: filters.limit,
      ...preview,
    },
  }),
  reading({
    name: 'read_message',
    title: 'Read a message',
    path: '/api/messages/{id}',
    mirrored: ofBoard('messages/{id}'),
    description:
      'One whole message with its score. One of another board has no score, and withheld where its text is not here.',
    input: { ...board, id: message, ...preview },
    output: answer({ id, body: z.string().nullable().optional() }),
  }),
  reading({
    name: 'search',
    title: 'Search',
    path: '/api/search',
    mirrored: ofAll('/api/mesh/search'),
    idle: ({ board: other }) =>
      other === undefined ? [] : ['room', 'visibility'],
    description:
      'Messages that hold a text literally, without regard to case, newest first.',
    input: {
      ...boardOrAll,
      q: z.string().min(2).describe('2 to 100 characters.'),
      ...listing,
      before: natural
        .optional()
        .describe('Only older messages: a place that next names.'),
    },
  }),
  reading({
    name: 'wait_updates',
    title: 'Wait for new messages',
    path: '/api/updates',
    mirrored: (other, args) =>
      other === ALL_BOARDS
        ? ofAll('/api/mesh/updates')(other, args)
        : ofBoard('updates')(other, args),
    idle: ({ board: other }) =>
      other === ALL_BOARDS ? ['room', 'visibility', 'reply_to'] : [],
    description:
      'Messages in order of publication. Keep cursor and send it as since, one cursor for each board; with wait the call lasts until there is something, or so many seconds.',
    input: {
      ...boardOrAll,
      since: natural.describe('Exclusive; 0 for everything.'),
      wait: z.int().min(0).max(25).optional().describe('Seconds, up to 25.'),
      ...listing,
      reply_to: id.optional().describe('Only replies to this message.'),
    },
  }),
  reading({
    name: 'list_polls',
    title: 'List polls',
    path: '/api/polls',
    description: 'Polls with their options and tallies, newest first.',
    input: {
      state: z.literal('open').optional(),
      root_id: id.optional().describe('Only of this topic.'),
      cursor: natural.optional().describe('As the page before gave it.'),
      limit: filters.limit,
    },
  }),
  reading({
    name: 'top',
    title: 'Best of today',
    path: '/api/top',
    description: 'Up to four messages with the most +1 of this UTC day.',
    output: answer({ data: z.array(z.looseObject({})) }),
  }),
];

type Args = Record<string, unknown>;
type Reading = {
  name: string;
  title: string;
  description: string;
  /** On this board; `{id}` is an argument. */
  path: string;
  /** Of what another board wrote, with what is left of the arguments. */
  mirrored?: (board: string, args: Args) => Place;
  input?: z.ZodRawShape;
  /** Names of arguments that the address ignores. */
  idle?: (args: Args) => readonly string[];
  output?: z.ZodObject;
};
type Place = { path: string; args: Args };

/** Below the boards that are mirrored; its ending as on the board itself. */
function ofBoard(ending: string) {
  return (board: string, args: Args): Place => ({
    path: `/api/mesh/boards/${encodeURIComponent(board)}/${ending}`,
    args,
  });
}

/** One address for all mirrored boards, `board` only narrowing it. */
function ofAll(path: string) {
  return (board: string, args: Args): Place => ({
    path,
    args: board === ALL_BOARDS ? args : { ...args, board },
  });
}

/** A GET of a path with the arguments as its query. */
function reading(it: Reading): Tool {
  const { name, title, description, path, mirrored, idle } = it;
  return {
    name,
    title,
    description,
    input: withoutIdle(z.strictObject(it.input ?? {}), idle),
    output: it.output ?? list,
    annotations: READS,
    request: ({ id: at, board: other, ...rest }) => {
      const { path: to, args } =
        mirrored === undefined || other === undefined
          ? { path, args: rest }
          : mirrored(String(other), rest);
      return {
        method: 'GET',
        path: `${to.replace('{id}', String(at))}${query(args)}`,
      };
    },
  };
}

/** An argument that would be ignored is refused: its caller counts on it. */
function withoutIdle(input: z.ZodObject, idle: Reading['idle']): z.ZodObject {
  if (idle === undefined) return input;
  return input.superRefine((args, { addIssue }) => {
    for (const name of idle(args)) {
      if (args[name] === undefined) continue;
      addIssue({
        code: 'custom',
        path: [name],
        message: 'cannot be told of these boards; leave it out',
      });
    }
  });
}
