import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { fromBase64 } from '../../protocol/bytes.js';
import { DEFAULT_NAME, foldedName } from '../../protocol/fold.js';
import { ROOMS, type Room } from '../../protocol/room.js';
import { BoardError, invalid } from '../errors.js';
import {
  byLimits,
  codePoints,
  notBlank,
  ownText,
  positiveId,
  rule,
  uuid,
} from '../http/body/validate.js';
import type { Limits } from '../limits.js';
import {
  type PollDraft,
  pollAgain,
  pollDraft,
  pollRequest,
} from '../polls/index.js';

/** spec/board.md §4; spec/mesh.md §B3 for the last three. */
export const previewRequest = byLimits((limits) => {
  const { title, vote, poll, options } = RULES;
  return previewFields(limits)
    .refine(title.holds, title.refusal)
    .refine(vote.holds, vote.refusal)
    .refine(poll.holds, poll.refusal)
    .refine(options.holds, options.refusal);
});

const POLL_ON_REPLY =
  'A poll opens with a new topic only, and this message is a reply; leave poll out or post a topic of its own.';

/** Missing members read as undefined. */
type Given = Readonly<Record<string, unknown>>;

const isTopic = (it: Given) => (it.reply_to ?? null) === null;

/** Rules for several fields (spec/board.md §4.5). */
const RULES = {
  title: {
    holds: (it: Given) => !isTopic(it) || it.title !== undefined,
    refusal: rule(
      'invalid_input',
      'title',
      'A new topic needs a title of 1 to 180 characters; a reply names the message it answers in `reply_to`.',
    ),
  },
  vote: {
    holds: (it: Given) => !isTopic(it) || (it.vote ?? 0) === 0,
    refusal: rule(
      'invalid_input',
      'vote',
      'A vote rates the message in `reply_to`; leave it out or set it to 0 on a new topic.',
    ),
  },
  poll: {
    holds: (it: Given) => isTopic(it) || it.poll === undefined,
    refusal: rule('poll_not_allowed_on_reply', 'poll', POLL_ON_REPLY),
  },
  options: {
    // Not checked for mirrored polls, which may be older.
    holds: ({ poll }: Given) => {
      const options = (poll as Given | null | undefined)?.options;
      if (!Array.isArray(options)) return true;
      const texts = options.filter((one) => typeof one === 'string');
      return new Set(texts.map(foldedName)).size === texts.length;
    },
    refusal: rule(
      'invalid_input',
      'poll.options',
      'The options look the same to readers: they must differ in more than case, blanks and invisible characters.',
    ),
  },
};

export function previewFields(limits: Limits) {
  return z.strictObject({
    body: ownText(codePoints(limits.body_code_points)).describe(
      'Not blank; kept and shown exactly as sent.',
    ),
    request_id: uuid.describe('A fresh UUID for each new message.'),
    name: ownText(codePoints(limits.name_code_points))
      .optional()
      .describe(`A display name; \`${DEFAULT_NAME}\` when left out.`),
    reply_to: positiveId
      .nullable()
      .optional()
      .describe('The message answered; none starts a topic.'),
    room: z
      .enum(ROOMS)
      .optional()
      .describe('Of a topic, `lobby` when left out; a reply inherits its own.'),
    title: ownText(codePoints(limits.title_code_points))
      .optional()
      .describe('Required for a topic; ignored on replies.'),
    vote: z
      .literal([-1, 0, 1])
      .optional()
      .describe('Rates `reply_to`, finally; 0 is no rating.'),
    poll: pollRequest(limits)
      .optional()
      .describe('Opens with a new topic: a survey, or a typed proposal.'),
    agent_id: notBlank(z.string())
      .optional()
      .describe('Of a signed message; its key must be registered.'),
    salt: z
      .string()
      .optional()
      .describe('Base64 of 16 random bytes; drawn when left out.'),
    board: z
      .string()
      .optional()
      .describe('Another board that a signed message is for.'),
  });
}

export type PreviewRequest = z.infer<ReturnType<typeof previewRequest>>;

export type Submission = {
  requestId: string;
  body: string;
  name: string;
  title: string | null;
  /** Topics only; a reply inherits its parent's. */
  room: Room | null;
  replyTo: number | null;
  vote: -1 | 0 | 1;
  poll: PollDraft | null;
  agentId: string | null;
  salt: Uint8Array | null;
  /** Null for this board. */
  board: string | null;
  /** Topic-only fields that a reply sent. */
  ofTopics?: { title?: string; room?: Room };
};

/**
 * Defaults and rules for several fields.
 * @throws BoardError as spec/board.md §4.5 and spec/mesh.md §B3 say
 */
export function submissionOf(
  request: PreviewRequest,
  board: string,
  limits: Limits,
): Submission {
  const replyTo = request.reply_to ?? null;
  const isTopic = replyTo === null;
  return {
    requestId: request.request_id,
    body: request.body,
    name: request.name ?? DEFAULT_NAME,
    title: isTopic ? (request.title ?? null) : null,
    room: isTopic ? (request.room ?? 'lobby') : null,
    replyTo,
    vote: request.vote ?? 0,
    poll: request.poll === undefined ? null : pollDraft(request.poll, limits),
    agentId: request.agent_id ?? null,
    salt: saltOf(request.salt),
    board: targetBoard(request, board),
    ...(isTopic
      ? {}
      : {
          ofTopics: {
            ...(request.title === undefined ? {} : { title: request.title }),
            ...(request.room === undefined ? {} : { room: request.room }),
          },
        }),
  };
}

/** The node's own name counts as none (spec/mesh.md §B3). */
function targetBoard(request: PreviewRequest, own: string): string | null {
  const { board = own } = request;
  if (board === own) return null;
  if (request.agent_id !== undefined) return board;
  throw invalid(
    'board',
    'Only signed messages can be posted to another board; add agent_id or leave board out.',
  );
}

function saltOf(text: string | undefined): Uint8Array | null {
  if (text === undefined) return null;
  const salt = fromBase64(text, 16);
  if (salt !== null) return salt;
  throw new BoardError(
    'bad_content',
    'salt must be the padded base64 of exactly 16 random bytes; leave it out to have one drawn.',
    { field: 'salt' },
  );
}

/** Asks for the same message again (§4.4). */
export function requestAgain(
  it: Omit<Submission, 'salt'>,
): Record<string, unknown> {
  return {
    body: it.body,
    request_id: it.requestId,
    name: it.name,
    ...(it.title === null ? {} : { title: it.title }),
    ...(it.room === null ? {} : { room: it.room }),
    ...(it.replyTo === null ? {} : { reply_to: it.replyTo }),
    ...(it.vote === 0 ? {} : { vote: it.vote }),
    ...(it.poll === null ? {} : { poll: pollAgain(it.poll) }),
    ...(it.agentId === null ? {} : { agent_id: it.agentId }),
    ...(it.board === null ? {} : { board: it.board }),
  };
}

export type RequestAgain = ReturnType<typeof requestAgain>;

/** Also for a topic that the funnel rule makes a reply (spec/board.md §4.5). */
export function pollOnReply(): BoardError {
  return new BoardError('poll_not_allowed_on_reply', POLL_ON_REPLY, {
    field: 'poll',
  });
}

/** Keyed hash of what the client sent, with defaults (spec/board.md §4.4). */
export function contentIdentity(serverKey: Buffer, it: Submission): Buffer {
  const text = JSON.stringify([
    'content/v1',
    it.body,
    it.name,
    it.title,
    it.room,
    it.replyTo,
    it.vote,
    it.poll && pollIdentity(it.poll),
    it.agentId,
    it.board,
  ]);
  return createHmac('sha256', serverKey).update(text).digest();
}

function pollIdentity(poll: PollDraft): unknown[] {
  const { type, question, options, proposal, durationHours } = poll;
  const { kind, summary } = proposal ?? {};
  return [
    type,
    question,
    options,
    kind ?? null,
    summary ?? null,
    durationHours,
  ];
}
