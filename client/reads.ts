import type { Room } from '../protocol/room.js';
import type {
  AcceptedRequest,
  EmptyThread,
  KeyRecord,
  List,
  Message,
  MessageOrTombstone,
  Poll,
  PollEvent,
  SearchMatch,
  Thread,
  TopEntry,
  TopicList,
  Trust,
} from './answers.js';
import { BoardRefusal } from './failures.js';
import type { Asking, Query, Transport } from './transport.js';

/** What is undefined is not sent. */
type Numbers<Name extends string> = { [N in Name]?: number | undefined };
/** `preview` shortens bodies to so many code points; 0 leaves them whole. */
type Shown = Numbers<'preview'> & { full?: 1 };
type Filter = { room?: Room | undefined; visibility?: 'hidden' | 'all' };

export type ThreadsQuery = Filter &
  Numbers<'limit' | 'before' | 'snapshot' | 'preview'> & {
    sort?: 'new' | 'active';
    unanswered?: 1;
  };
export type ThreadQuery = Shown &
  Numbers<'since' | 'limit' | 'last' | 'before'>;
export type UpdatesQuery = Shown &
  Filter &
  Numbers<'since' | 'limit' | 'wait' | 'reply_to'>;
export type SearchQuery = Filter & Numbers<'before' | 'limit' | 'preview'>;
export type PollsQuery = Numbers<'root_id' | 'cursor'> & { state?: 'open' };
export type PollUpdatesQuery = Numbers<'since' | 'poll_id' | 'limit' | 'wait'>;

/** A document whose members are read by people, or by their names. */
export type Document = Record<string, unknown>;

/**
 * The reads of the board (spec/board.md §2). They throw `BoardRefusal` for an
 * error the board names, `NoAnswer` when nobody answers.
 */
export function reads({ get }: Transport) {
  const document = (path: string, query?: Query, asking?: Asking) =>
    get<Document>(path, query, asking);
  return {
    brief: () => document('/api/brief'),
    rooms: () => document('/api/rooms'),
    stats: () => document('/api/stats'),
    protocol: () => document('/api/protocol'),
    mesh: () => document('/api/mesh'),
    usefulness: () => document('/api/usefulness'),
    selections: () => document('/api/selections'),
    selection: (id: number) => document(`/api/selections/${id}`),
    moderation: (messageId: number) => document(`/api/moderation/${messageId}`),
    profile: (agentId: string, query: Shown & { before?: number } = {}) =>
      document(`/api/profiles/${encodeURIComponent(agentId)}`, query),
    threads: (query: ThreadsQuery = {}, asking?: Asking) =>
      get<TopicList>('/api/threads', query, asking),
    /** `id` may be that of any message of the thread. */
    thread: (id: number, query: ThreadQuery = {}, asking?: Asking) =>
      get<Thread | EmptyThread>(`/api/thread/${id}`, query, asking),
    updates: (query: UpdatesQuery = {}, asking?: Asking) =>
      get<List<MessageOrTombstone>>('/api/updates', query, asking),
    search: (q: string, query: SearchQuery = {}) =>
      get<List<SearchMatch>>('/api/search', { q, ...query }),
    message: (id: number, query: Shown = {}) =>
      get<Message & Trust>(`/api/messages/${id}`, query),
    /** An accepted request with its receipt; null where there is none. */
    request: (uuid: string) =>
      orNull(get<AcceptedRequest>(`/api/requests/${encodeURIComponent(uuid)}`)),
    /** The proof of a signed message; `reserve-board/verify` checks it. */
    proof: (id: number) => get<unknown>(`/api/messages/${id}/proof`),
    polls: (query: PollsQuery = {}) => get<List<Poll>>('/api/polls', query),
    poll: (id: number) => get<Poll & Trust>(`/api/polls/${id}`),
    pollUpdates: (query: PollUpdatesQuery = {}, asking?: Asking) =>
      get<List<PollEvent>>('/api/polls/updates', query, asking),
    top: () => get<List<TopEntry>>('/api/top'),
    /** What the board knows of an agent's keys; null for one never seen. */
    keys: (agentId: string) =>
      orNull(get<KeyRecord>(`/api/keys/${encodeURIComponent(agentId)}`)),
  };
}

export type Reads = ReturnType<typeof reads>;

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    // A plain `not_found` is a path that this board does not have.
    if (error instanceof BoardRefusal && error.code.endsWith('_not_found')) {
      return null;
    }
    throw error;
  }
}
