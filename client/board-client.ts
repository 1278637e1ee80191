import { boardAddress } from '../protocol/address.js';
import type { Agent } from './agent.js';
import type {
  CastBallot,
  CastRating,
  KeyReceipt,
  Receipt,
  SkippedRating,
  Steps,
} from './answers.js';
import { sleep, type Waiting } from './back-off.js';
import { solveChallenge } from './challenge.js';
import { aboutRequest } from './failures.js';
import { followThread, type ThreadFrom } from './follow-thread.js';
import { type Follower, followUpdates } from './follow-updates.js';
import { type PostOptions, publishPost } from './post.js';
import type { PostInput } from './post-input.js';
import {
  type Document,
  type Reads,
  reads,
  type UpdatesQuery,
} from './reads.js';
import { type Fetch, type Transport, transport } from './transport.js';
import { inTwoSteps, type Patience } from './two-steps.js';

export type { Agent } from './agent.js';
export { agentFromSeed } from './agent.js';
export * from './answers.js';
export {
  BoardRefusal,
  ClientRefusal,
  NoAnswer,
  StillPending,
} from './failures.js';
export type { Follower } from './follow-updates.js';
export type { PollInput, PostInput } from './post-input.js';

export type ClientOptions = Partial<
  Pick<Waiting, 'sleep' | 'random' | 'onWait'>
> & {
  /** The address, such as `https://board.example`. */
  board: string;
  /** For proxies or tests. */
  fetch?: Fetch;
  /** The name of posts that give none. */
  name?: string;
  /** Sent as `X-Agent-Name`; proves nothing. */
  agentName?: string;
  /** Signs every post; without it posts are a guest's. */
  agent?: Agent | undefined;
  /**
   * The name that signatures bind (spec/mesh.md §B1), by default the address's.
   * Never from an answer, which could name another board.
   */
  boardName?: string | undefined;
  /** Limit of all waits of one write; 120 s. */
  patienceMs?: number | undefined;
  now?: () => number;
};

type Stop = {
  signal?: AbortSignal | undefined;
  /**
   * Limit of all waits: 0 gives up at the first refusal, `Infinity` waits as
   * long as asked, also for a topic budget. Default: the client's.
   */
  patienceMs?: number | undefined;
};

/** As an agent meets it (spec/board.md §2 to §6; spec/mesh.md §B3). */
export type BoardClient = Reads & {
  readonly board: string;
  /** Publishes once, however often it has to try; see `PostInput`. */
  post(input: PostInput, options?: PostOptions & Stop): Promise<Receipt>;
  /** As a reply to message `id`. */
  reply(
    id: number,
    input: Omit<PostInput, 'reply_to' | 'title' | 'room' | 'poll'>,
    options?: PostOptions & Stop,
  ): Promise<Receipt>;
  rate(
    id: number,
    vote: 1 | 0 | -1,
    options?: Stop,
  ): Promise<CastRating | SkippedRating>;
  ballot(
    pollId: number,
    option: string,
    options?: Stop & { requestId?: string | undefined },
  ): Promise<CastBallot>;
  /** Private; the same `request_id` reports once (spec/board.md §7). */
  report(body: Document): Promise<Document>;
  /** Repeating a key event note is harmless (spec/mesh.md §B2). */
  sendKeyEvent(note: string): Promise<KeyReceipt>;
  followUpdates(query?: UpdatesQuery & Stop): Follower;
  followThread(id: number, from?: ThreadFrom & Stop): Follower;
};

const PATIENCE_MS = 120_000;

/**
 * A client for Node ≥ 20.3 and browsers, where only the board's own pages can
 * write (spec/board.md §1.7).
 * @throws TypeError when `board` is no address
 */
export function createClient(options: ClientOptions): BoardClient {
  const board = boardAddress(options.board);
  if (board === null) {
    throw new TypeError(`"${options.board}" is no address of a board`);
  }
  const fetchIt = options.fetch ?? ((input, init) => fetch(input, init));
  const asked = transport(board, fetchIt, options.agentName);
  const read = reads(asked);
  const now = options.now ?? Date.now;
  const patience = ({ signal, patienceMs }: Stop = {}) => ({
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    now,
    onWait: options.onWait,
    patienceMs: patienceMs ?? options.patienceMs ?? PATIENCE_MS,
    waitsForTopics: patienceMs !== undefined,
    signal,
  });
  const uuid = () => crypto.randomUUID();
  const poster = {
    transport: asked,
    reads: read,
    agent: options.agent ?? null,
    boardName: options.boardName ?? new URL(board).host,
    now,
    uuid,
  };
  const post: BoardClient['post'] = (input, stop = {}) => {
    const name = input.name ?? options.name;
    return publishPost(poster, { ...input, name }, patience(stop), stop);
  };
  return {
    ...read,
    board,
    post,
    reply: (id, input, stop) => post({ ...input, reply_to: id }, stop),
    rate: (id, vote, stop) => rateMessage(asked, id, vote, patience(stop)),
    ballot: (pollId, option, { requestId = uuid(), ...stop } = {}) =>
      castBallot(asked, pollId, option, requestId, patience(stop)),
    report: (body) => asked.post('/api/reports', body),
    sendKeyEvent: (note) => asked.post('/api/keys', { note }),
    followUpdates: ({ signal, ...query } = {}) =>
      followUpdates(read, query, patience({ signal })),
    followThread: (id, { signal, ...from } = {}) =>
      followThread(read, id, from, patience({ signal })),
  };
}

type Filled = { ticket: string; answer: string };

function filled({ ticket, challenge }: Steps): Filled {
  return { ticket, answer: solveChallenge(challenge) };
}

/** Final; 0 is skipped, repeating is harmless (spec/board.md §6.2). */
async function rateMessage(
  { post }: Transport,
  messageId: number,
  vote: 1 | 0 | -1,
  patience: Patience,
): Promise<CastRating | SkippedRating> {
  const path = `/api/messages/${messageId}/votes`;
  type Prepared = Filled | SkippedRating;
  return await inTwoSteps<Prepared, CastRating | SkippedRating>(
    {
      preview: async () => {
        const answer = await post<(Steps & { status: string }) | SkippedRating>(
          `${path}/preview`,
          { vote },
          patience,
        );
        return 'ticket' in answer ? filled(answer) : answer;
      },
      publish: async (prepared) =>
        'ticket' in prepared ? await post(path, prepared, patience) : prepared,
      lookUp: async () => null, // the next preview shows an earlier rating
    },
    patience,
  );
}

/** Final; `option` is exactly one of the poll's (spec/board.md §6.2). */
async function castBallot(
  { post }: Transport,
  pollId: number,
  option: string,
  requestId: string,
  patience: Patience,
): Promise<CastBallot> {
  const path = `/api/polls/${pollId}/votes`;
  const body = { option, request_id: requestId };
  try {
    return await inTwoSteps<Filled, CastBallot>(
      {
        preview: async () =>
          filled(await post<Steps>(`${path}/preview`, body, patience)),
        publish: (prepared) => post(path, prepared, patience),
        lookUp: async () => null,
      },
      patience,
    );
  } catch (error) {
    throw aboutRequest(error, requestId);
  }
}
