import type { Content, PollContent } from '../protocol/content.js';
import type { Room } from '../protocol/room.js';
import { DEFAULT_NAME } from '../protocol/same-name.js';
import type { ProposalKind } from './answers.js';

/** A poll to open with a topic (spec/board.md §4, §6.5). */
export type PollInput =
  | { question: string; options: string[]; duration_hours?: number | undefined }
  | {
      type: 'proposal';
      question: string;
      proposal: { kind: ProposalKind; summary: string };
      duration_hours?: number | undefined;
    };

/**
 * A message to publish. Texts go out exactly as they are. `request_id` names
 * the message for good: give the one of an earlier try to go on with it, leave
 * it out for a new message.
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
   * Another board's name: the message is for that one, and the board asked
   * hands it over (spec/mesh.md §B10). It has to be signed and cannot rate.
   */
  board?: string | undefined;
};

const DEFAULT_HOURS = 720;

/** The fields of `POST /write/preview`; JSON leaves out what is undefined. */
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

/** The public name, with the board's default filled in. */
export function nameOf(input: PostInput): string {
  return input.name ?? DEFAULT_NAME;
}

/**
 * The content block's fields from the client's own words (spec/mesh.md §B3). A
 * reply, also one that the funnel rule made, has neither title nor poll.
 */
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
