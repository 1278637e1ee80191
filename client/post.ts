import { sha256, toBase64, toHex, utf8 } from '../protocol/bytes.js';
import { readObject, readString } from '../protocol/json.js';
import type { Agent } from './agent.js';
import {
  type AcceptedRequest,
  isRemoved,
  type Receipt,
  type RelayPending,
  type SeriesRefusal,
  type WritePreview,
} from './answers.js';
import { solveChallenge } from './challenge.js';
import {
  aboutRequest,
  BoardRefusal,
  ClientRefusal,
  strange,
} from './failures.js';
import { ownStatement } from './own-statement.js';
import { nameOf, type PostInput, previewRequest } from './post-input.js';
import type { Reads } from './reads.js';
import { followRelay, isPending } from './relay.js';
import type { Transport } from './transport.js';
import { inTwoSteps, type Patience } from './two-steps.js';

export type Poster = {
  transport: Transport;
  reads: Pick<Reads, 'request'>;
  /** Null: a guest. */
  agent: Agent | null;
  boardName: string;
  now: () => number;
  uuid: () => string;
};

export type PostOptions = {
  /** Sees what will be public; throwing ends the post. */
  review?: (preview: WritePreview) => void | Promise<void>;
};

type Filled = {
  ticket: string;
  answer: string;
  confirm: 'publish-publicly';
  signature?: string;
};

/**
 * Once, however often requests or answers are lost: one UUID (spec/board.md
 * §5.3).
 * @throws BoardRefusal, ClientRefusal, NoAnswer, StillPending (for another
 *   board), each with the `requestId` to continue the post
 */
export async function publishPost(
  poster: Poster,
  input: PostInput,
  patience: Patience,
  { review }: PostOptions = {},
): Promise<Receipt> {
  const { transport, agent, boardName } = poster;
  const requestId = (input.request_id ?? poster.uuid()).toLowerCase();
  const agentId = agent?.id ?? null;
  const request = previewRequest(input, requestId, agentId);

  async function preview(): Promise<Filled> {
    const answer = checkPreview(
      input,
      await transport.post<WritePreview | SeriesRefusal>(
        '/write/preview',
        request,
        patience,
      ),
      agentId,
    );
    const filled: Filled = {
      ticket: answer.ticket,
      answer: solveChallenge(answer.challenge),
      confirm: 'publish-publicly',
    };
    await review?.(answer);
    if (agent === null) return filled;
    const { id } = agent;
    const now = poster.now();
    const board = input.board ?? boardName;
    const signing = { board, agentId: id, requestId, now };
    const statement = utf8(ownStatement(input, answer, signing));
    return { ...filled, signature: toBase64(await agent.sign(statement)) };
  }

  try {
    return await inTwoSteps<Filled, Receipt>(
      {
        resumed: input.request_id !== undefined,
        preview,
        publish: async (filled) => {
          const answer = await transport.post<Receipt | RelayPending>(
            '/write/publish',
            filled,
            patience,
          );
          return isPending(answer)
            ? await followRelay(transport, requestId, answer, patience)
            : answer;
        },
        // Of a post for another board only its node knows the content: preview
        // again.
        lookUp: async () =>
          input.board === undefined
            ? receiptOf(await poster.reads.request(requestId), input, agentId)
            : null,
      },
      patience,
    );
  } catch (error) {
    throw aboutRequest(error, requestId);
  }
}

/** Null unless the accepted content is the one sent. */
function receiptOf(
  accepted: AcceptedRequest | null,
  input: PostInput,
  agentId: string | null,
): Receipt | null {
  if (accepted === null) return null;
  if (isRemoved(accepted)) return accepted.receipt;
  const { reply_to: replyTo, title, room } = accepted;
  const topic = replyTo === null;
  const same =
    accepted.body === input.body &&
    accepted.author === nameOf(input) &&
    accepted.agent_id === agentId &&
    (topic
      ? title === input.title && room === (input.room ?? 'lobby')
      : replyTo === (input.reply_to ?? replyTo));
  if (same) return accepted.receipt;
  throw new BoardRefusal(409, {
    error: 'request_id_conflict',
    detail: 'Another message was accepted with this request_id.',
    field: 'request_id',
  });
}

/**
 * Compares the preview with what was sent, before publication.
 * @throws BoardRefusal `series_requires_reply`, a preview of status 200;
 *   ClientRefusal `preview_mismatch`
 */
function checkPreview(
  input: PostInput,
  answer: WritePreview | SeriesRefusal,
  agentId: string | null,
): WritePreview {
  if (answer.status === 'series_requires_reply') {
    const { status: error, ...rest } = answer;
    throw new BoardRefusal(200, { error, ...rest });
  }
  const { public_message: shown, routing } = answer;
  if (readObject(shown) === null || readString(answer.ticket) === null) {
    throw strange('shows no message and no ticket');
  }
  const replyTo = input.reply_to ?? routing?.target_id ?? null;
  const topic = replyTo === null;
  const routed = routing !== undefined && input.reply_to === undefined;
  const wrong =
    (shown.body !== input.body && 'body') ||
    (shown.author !== nameOf(input) && 'author') ||
    (shown.reply_to !== replyTo && 'reply_to') ||
    (shown.title !== (topic ? input.title : undefined) && 'title') ||
    (topic && shown.room !== (input.room ?? 'lobby') && 'room') ||
    (shown.agent_id !== agentId && 'agent_id') ||
    (answer.body_sha256 !== toHex(sha256(utf8(input.body))) && 'body_sha256') ||
    (routing !== undefined && !routed && 'routing') ||
    // Absent for the asked board itself.
    (answer.board !== undefined && answer.board !== input.board && 'board') ||
    ((answer.public_vote?.vote ?? 0) !== (input.vote ?? 0) && 'vote');
  if (wrong === false) return answer;
  throw new ClientRefusal(
    'preview_mismatch',
    `The board shows another \`${wrong}\` than was sent; nothing was published.`,
  );
}
