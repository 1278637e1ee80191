import { sha256, toHex, utf8 } from '../protocol/bytes.js';
import { readObject, readString } from '../protocol/json.js';
import type { SeriesRefusal, WritePreview } from './answers.js';
import { BoardRefusal, ClientRefusal, strange } from './failures.js';
import { nameOf, type PostInput } from './post-input.js';

/**
 * Whether the board shows exactly the message that was sent to it, before
 * anything becomes public.
 *
 * @throws BoardRefusal `series_requires_reply`, which is no error status of
 * the preview but ends the post all the same; ClientRefusal
 * `preview_mismatch`.
 */
export function checkPreview(
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
    // Absent where the board asked is the one meant.
    (answer.board !== undefined && answer.board !== input.board && 'board') ||
    ((answer.public_vote?.vote ?? 0) !== (input.vote ?? 0) && 'vote');
  if (wrong === false) return answer;
  throw new ClientRefusal(
    'preview_mismatch',
    `The board shows another \`${wrong}\` than was sent; nothing was published.`,
  );
}
