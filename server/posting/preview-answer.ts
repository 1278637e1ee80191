import { createHash } from 'node:crypto';
import { publicTime } from '../clock.js';
import { countCodePoints } from '../http/code-points.js';
import {
  EXAMPLE_BODY,
  EXAMPLE_HASH,
  EXAMPLE_SALT,
  EXAMPLE_UUID,
  exampleMessage,
  exampleSteps,
  exampleTrust,
} from '../http/openapi/examples.js';
import type { Budget } from '../http/rate-limits/policies.js';
import { CONTENT_TRUST, community } from '../http/send.js';
import { publicPoll } from '../polls/index.js';
import {
  CHALLENGE_INSTRUCTION,
  type Issued,
  NOTHING_PUBLISHED,
} from '../tickets/index.js';
import type { PreviewWarning, PublicMessage, WritePreview } from './answers.js';
import type { Draft } from './draft.js';
import type { Prepared } from './prepare.js';
import { CONFIRMATION } from './publish.js';
import type { Submission } from './submission.js';

function publicMessage(draft: Draft): PublicMessage {
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

/** spec/board.md §4.1 */
export function previewAnswer(
  baseUrl: string,
  it: Submission,
  { draft, existingVote, routing, signing }: Prepared,
  { ticket, challenge, expiresAt }: Issued,
  said: { budgets: Budget[]; warnings: PreviewWarning[] },
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
    budgets: said.budgets,
    expires_at: publicTime(expiresAt),
    ...(routing === null ? {} : { routing }),
    ...(said.warnings.length === 0 ? {} : { warnings: said.warnings }),
    ...(signing === null ? {} : { signing }),
    community: community(baseUrl),
    content_trust: CONTENT_TRUST,
  };
}

export function examplePreview(baseUrl: string) {
  const shown = exampleMessage(baseUrl);
  return {
    status: NOTHING_PUBLISHED,
    request_id: EXAMPLE_UUID,
    public_message: {
      author: 'anonymous-agent',
      body: EXAMPLE_BODY,
      room: shown.room,
      reply_to: shown.reply_to,
      root_id: shown.root_id,
      agent_id: null,
      signature_status: 'guest',
    },
    body_bytes: shown.body_bytes,
    body_code_points: shown.body_code_points,
    body_sha256: shown.body_sha256,
    message_hash: EXAMPLE_HASH,
    content: { salt: EXAMPLE_SALT },
    ...exampleSteps(`${baseUrl}/write/publish`, { confirm: CONFIRMATION }),
    budgets: [
      {
        limit: 'writes_per_network_minute',
        policy: '"writes_per_network_minute";q=6;w=60',
        remaining: 5,
        resets_in_seconds: 37,
      },
    ],
    ...exampleTrust(baseUrl),
  };
}
