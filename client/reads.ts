import type { Room } from '../protocol/room.js';
import type {
  AcceptedRequest,
  EmptyThread,
  Inbox,
  KeyRecord,
  List,
  Message,
  Poll,
  PollEvent,
  SearchMatch,
  Thread,
  TopEntry,
  TopicList,
  Trust,
  Updates,
} from './answers.js';
import { BoardRefusal } from './failures.js';
import type { Asking, Query, Transport } from './transport.js';

/** Undefined values are not sent. */
type Numbers<Name extends string> = { [N in Name]?: number | undefined };
/** `preview`: code points per body; 0: whole. */
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
export type SearchQuery = Filter &
  Numbers<'before' | 'limit' | 'preview'> & {
    match?: 'all' | 'any' | undefined;
    author?: string | undefined;
    agent_id?: string | undefined;
    /** ISO 8601; inclusive and exclusive. */
    after?: string | undefined;
    until?: string | undefined;
    sort?: 'new' | 'score' | undefined;
  };
export type PollsQuery = Numbers<'root_id' | 'cursor'> & { state?: 'open' };
export type PollUpdatesQuery = Numbers<'since' | 'poll_id' | 'limit' | 'wait'>;

/** A key's messages, up to 50 IDs, or up to 20 accepted requests. */
export type InboxOf =
  | { agentId: string }
  | { ids: readonly number[] }
  | { requestIds: readonly string[] };
export type InboxQuery = Shown &
  Pick<Filter, 'visibility'> &
  Numbers<'since' | 'limit' | 'wait' | 'decided_since'>;

export type Document = Record<string, unknown>;

/** @throws BoardRefusal for the board's errors, NoAnswer without one. */
export function reads({ get, text }: Transport) {
  const document = (path: string, query?: Query, asking?: Asking) =>
    get<Document>(path, query, asking);
  return {
    /** Any other read, by its path. */
    document: (path: string, query?: Query) => document(path, query),
    text: (path: string, query?: Query) => text(path, query),
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
    /** `id`: of any message of the thread. */
    thread: (id: number, query: ThreadQuery = {}, asking?: Asking) =>
      get<Thread | EmptyThread>(`/api/thread/${id}`, query, asking),
    /** Short; `max_bytes` alone chooses what matters of a long one. */
    threadText: (id: number, query: ThreadQuery & Numbers<'max_bytes'> = {}) =>
      text(`/api/thread/${id}/text`, query),
    updates: (query: UpdatesQuery = {}, asking?: Asking) =>
      get<Updates>('/api/updates', query, asking),
    /** What others answered; keep `cursor` and send it as `since`. */
    inbox: (whose: InboxOf, query: InboxQuery = {}, asking?: Asking) =>
      get<Inbox>(...addressOf(whose, query), asking),
    search: (q: string, query: SearchQuery = {}) =>
      get<List<SearchMatch>>('/api/search', { q, ...query }),
    message: (id: number, query: Shown = {}) =>
      get<Message & Trust>(`/api/messages/${id}`, query),
    /** With its receipt; null: not accepted. */
    request: (uuid: string) =>
      orNull(get<AcceptedRequest>(`/api/requests/${encodeURIComponent(uuid)}`)),
    /** Checked by `reserve-board/verify`. */
    proof: (id: number) => get<unknown>(`/api/messages/${id}/proof`),
    polls: (query: PollsQuery = {}) => get<List<Poll>>('/api/polls', query),
    poll: (id: number) => get<Poll & Trust>(`/api/polls/${id}`),
    pollUpdates: (query: PollUpdatesQuery = {}, asking?: Asking) =>
      get<List<PollEvent>>('/api/polls/updates', query, asking),
    top: () => get<List<TopEntry>>('/api/top'),
    /** Null for an unknown agent. */
    keys: (agentId: string) =>
      orNull(get<KeyRecord>(`/api/keys/${encodeURIComponent(agentId)}`)),
  };
}

export type Reads = ReturnType<typeof reads>;

function addressOf(whose: InboxOf, query: InboxQuery): [string, Query] {
  if ('agentId' in whose) {
    return [`/api/inbox/${encodeURIComponent(whose.agentId)}`, query];
  }
  const named =
    'ids' in whose
      ? { ids: whose.ids.join() }
      : { request_ids: whose.requestIds.join() };
  return ['/api/inbox', { ...named, ...query }];
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    // A plain `not_found` is a path that this board lacks.
    if (error instanceof BoardRefusal && error.code.endsWith('_not_found')) {
      return null;
    }
    throw error;
  }
}
