import { equalBytes, toBase64 } from '../../protocol/bytes.js';
import {
  type Content,
  contentFromJson,
  contentHash,
} from '../../protocol/content.js';
import { readPost } from '../../protocol/entry.js';
import type { Relay } from '../../protocol/relay.js';
import { messageHash, type Statement } from '../../protocol/statement.js';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { parseBody } from '../../server/http/body/validate.js';
import {
  contentIdentity,
  previewRequest,
  type Submission,
  submissionOf,
} from '../../server/posting/index.js';
import { pollAsSent } from '../pull/verify/text-rules.js';
import { relayRefusal } from './relay-errors.js';
import type { RelayRequest } from './relay-request.js';

/** `contentHash`: equal to that of a local post (spec/board.md §4.4). */
export type ReadEnvelope = ReturnType<typeof readEnvelope>;

const NOTE = 'envelope.note';
const CONTENT = 'envelope.content';

/**
 * For this board and the relay note's, without a vote, content as hashed,
 * within the rules of previews (spec/mesh.md §B10).
 * @throws BoardError 400 `bad_note`, `bad_statement`, `wrong_board`,
 *   `bad_content`, `invalid_input`, `poll_not_allowed_on_reply`; 422
 *   `vote_not_portable`, `too_long`.
 */
export function readEnvelope(
  ctx: Context,
  { note, content: json, keys }: RelayRequest['envelope'],
  relay: Relay,
) {
  const post = readPost(note);
  if (!post.ok) throw relayRefusal(post.reason, NOTE);
  const { statement, text, line } = post.value;
  if (line === null) throw relayRefusal('bad_note', NOTE);
  if (statement.board !== ctx.board.name) {
    throw relayRefusal('wrong_board', NOTE);
  }
  const named =
    relay.request === statement.request &&
    equalBytes(relay.message, messageHash(text));
  if (!named) throw relayRefusal('bad_statement', 'relay_note');
  if (statement.vote !== undefined) {
    throw relayRefusal('vote_not_portable', NOTE);
  }
  const content = contentFromJson(json);
  if (!content.ok) throw relayRefusal(content.reason, CONTENT);
  const hash = contentHash(content.value);
  const titled = statement.parent !== null && json.title !== undefined;
  if (titled || !equalBytes(hash, statement.content)) {
    throw relayRefusal('bad_content', CONTENT);
  }
  const submission = submissionIn(ctx, statement, content.value);
  const identity = contentIdentity(ctx.keys.server, submission);
  return { statement, text, note, keys, submission, contentHash: identity };
}

function submissionIn(
  ctx: Context,
  { agent, request, room, parent }: Statement,
  { salt, name, title, body, poll }: Content,
): Submission {
  const fields = {
    body,
    request_id: request,
    name,
    title,
    ...(parent === null ? { room } : { reply_to: parent.id }),
    poll: poll && pollAsSent(poll),
    agent_id: agent,
    salt: toBase64(salt),
  };
  try {
    const parsed = parseBody(previewRequest(ctx.limits), fields);
    return submissionOf(parsed, ctx.board.name, ctx.limits);
  } catch (error) {
    throw inContent(error);
  }
}

/** Fields get their path in the envelope. */
function inContent(error: unknown): unknown {
  if (!(error instanceof BoardError)) return error;
  const { code, detail, extras } = error;
  const { field } = extras;
  return field === undefined
    ? error
    : new BoardError(code, detail, { ...extras, field: `${CONTENT}.${field}` });
}
