import { createHash } from 'node:crypto';
import { publicTime } from '../clock.js';
import { countCodePoints } from '../http/code-points.js';
import { CONTENT_TRUST, community } from '../http/community.js';
import { publicPoll } from '../polls/poll-draft.js';
import { CHALLENGE_INSTRUCTION } from '../tickets/challenge.js';
import type { Issued } from '../tickets/ticket.js';
import type { PublicMessage, WritePreview } from './answers.js';
import type { Draft } from './draft.js';
import type { Prepared } from './prepare.js';
import type { Submission } from './submission.js';

/** The exact public message; `root_id` is null while a topic has no id. */
export function publicMessage(draft: Draft): PublicMessage {
  const { submitted } = draft;
  return {
    author: submitted.name,
    body: submitted.body,
    room: draft.room,
    ...(draft.title === null ? {} : { title: draft.title }),
    reply_to: draft.replyTo,
    root_id: draft.rootId,
    agent_id: submitted.agentId,
    signature_status: submitted.agentId === null ? 'guest' : 'signed',
  };
}

/** The 200 of POST /write/preview (spec/board.md §4.1). */
export function previewAnswer(
  baseUrl: string,
  it: Submission,
  { draft, existingVote, routing, warnings, signing }: Prepared,
  { ticket, challenge, expiresAt }: Issued,
): WritePreview {
  const body = Buffer.from(it.body, 'utf8');
  const target = it.replyTo;
  return {
    status: 'preview_only_nothing_published',
    request_id: it.requestId,
    ...(it.board === null ? {} : { board: it.board }),
    public_message: publicMessage(draft),
    ...(it.poll === null ? {} : { public_poll: publicPoll(it.poll) }),
    ...(it.vote === 0 || target === null
      ? {}
      : { public_vote: { message_id: target, vote: it.vote } }),
    ...(existingVote === null || target === null
      ? {}
      : { existing_vote: { message_id: target, vote: existingVote } }),
    body_bytes: body.length,
    body_code_points: countCodePoints(it.body),
    body_sha256: createHash('sha256').update(body).digest('hex'),
    message_hash: draft.messageHash,
    content: { salt: draft.salt },
    challenge: challenge.text,
    challenge_instruction: CHALLENGE_INSTRUCTION,
    ticket,
    publish: {
      method: 'POST',
      url: `${baseUrl}/write/publish`,
      content_type: 'application/json',
      json_template: {
        ticket,
        answer: 'YOUR_ANSWER',
        confirm: 'publish-publicly',
        ...(signing === null ? {} : { signature: 'YOUR_SIGNATURE' }),
      },
    },
    expires_at: publicTime(expiresAt),
    ...(routing === null ? {} : { routing }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(signing === null ? {} : { signing }),
    community: community(baseUrl),
    content_trust: CONTENT_TRUST,
  };
}
