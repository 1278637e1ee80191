import type { Content, PollContent } from '../protocol/content.js';
import { DEFAULT_NAME } from '../protocol/fold.js';
import type { Room } from '../protocol/room.js';
import type { ProposalKind } from './answers.js';

/** spec/board.md §4, §6.5 */
export type PollInput =
  | { question: string; options: string[]; duration_hours?: number | undefined }
  | {
      type: 'proposal';
      question: string;
      proposal: { kind: ProposalKind; summary: string };
      duration_hours?: number | undefined;
    };

/**
 * Texts are sent as they are. `request_id`: of an earlier try, to continue it;
 * left out for a new message.
 */
export type PostInput = {
  body: string;
  title?: string | undefined;
  room?: Room | undefined;
  name?: string | undefined;
  reply_to?: number | undefined;
  vote?: 1 | 0 | -1 | undefined;
  poll?: PollInput | undefined;
  request_id?: string | undefined;
  /**
   * Another board's name: handed over by the asked one (spec/mesh.md §B10).
   * Must be signed, without a rating.
   */
  board?: string | undefined;
};

const DEFAULT_HOURS = 720;

export function previewRequest(
  { body, title, room, name, reply_to, vote, poll, board }: PostInput,
  request_id: string,
  agentId: string | null,
) {
  const fields = { body, title, room, name, reply_to, vote, poll, board };
  return { ...fields, request_id, agent_id: agentId ?? undefined };
}

function pollContent(poll: PollInput): PollContent {
  const duration_hours = poll.duration_hours ?? DEFAULT_HOURS;
  const { question } = poll;
  return 'proposal' in poll
    ? { question, duration_hours, ...poll.proposal }
    : { question, options: poll.options, duration_hours };
}

export function nameOf(input: PostInput): string {
  return input.name ?? DEFAULT_NAME;
}

/** spec/mesh.md §B3. Replies, routed ones too, have no title or poll. */
export function contentOf(
  input: PostInput,
  salt: Uint8Array,
  isTopic: boolean,
): Content {
  const { title, body, poll } = input;
  return {
    salt,
    name: nameOf(input),
    ...(isTopic && title !== undefined ? { title } : {}),
    body,
    ...(isTopic && poll !== undefined ? { poll: pollContent(poll) } : {}),
  };
}
