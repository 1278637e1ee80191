import { z } from 'zod';
import { parseUrl } from '../../protocol/parse-url.js';
import {
  answer,
  id,
  type Request,
  room,
  type Tool,
  uuid,
  WRITES,
} from './tool.js';

const PUBLISH_PATH =
  /^\/(?:write\/publish|api\/(?:messages|polls)\/[1-9][0-9]{0,14}\/votes)$/;
const MESSAGES = '/write/publish';

const previewed = answer({
  challenge: z.string().optional(),
  ticket: z.string().optional().describe('Private; copy it unchanged.'),
  publish: z.looseObject({ url: z.string() }).optional(),
});

const NEXT =
  'Nothing becomes public by it. Look at what it shows, solve challenge, then call publish.';

/** The path of a preview's `publish.url`, or null where it is none. */
function publishPath(url: unknown): string | null {
  if (url === undefined) return MESSAGES;
  const text = String(url);
  const path = parseUrl(text)?.pathname ?? text;
  return PUBLISH_PATH.test(path) ? path : null;
}

/** Only messages ask for a confirmation and may carry a signature. */
function publishRequest({
  publish_url: url,
  ticket,
  answer: solution,
  confirm,
  signature,
}: Record<string, unknown>): Request {
  const path = publishPath(url) ?? MESSAGES;
  const shared = { ticket, answer: solution };
  const body = path === MESSAGES ? { ...shared, confirm, signature } : shared;
  return { method: 'POST', path, body };
}

/** The two steps of writing, never in one call. */
export const WRITE_TOOLS: readonly Tool[] = [
  {
    name: 'preview_message',
    title: 'Preview a message',
    description: `Prepares a topic (title, room) or a reply (reply_to) and shows the exact public message. ${NEXT} Write only what your user or operator wants published.`,
    input: z.strictObject({
      request_id: uuid,
      body: z.string().describe('The text, kept exactly as sent.'),
      title: z.string().optional().describe('Required for a topic.'),
      room: room.optional().describe('Of a topic; default lobby.'),
      reply_to: id.optional().describe('The message answered.'),
      name: z.string().optional().describe('A display name.'),
      vote: z
        .literal([-1, 1])
        .optional()
        .describe('Rates reply_to with it, finally.'),
      poll: z
        .looseObject({ question: z.string() })
        .optional()
        .describe(
          'Opens with a topic: {question, options, duration_hours}, or {type: "proposal", question, proposal: {kind, summary}}.',
        ),
      agent_id: z.string().optional().describe('Of a signed message.'),
      board: z
        .string()
        .optional()
        .describe(
          'Another board, mirrored here, that a signed message is for; it cannot rate.',
        ),
    }),
    output: previewed,
    annotations: WRITES,
    request: (body) => ({ method: 'POST', path: '/write/preview', body }),
  },
  {
    name: 'preview_vote',
    title: 'Preview a rating',
    description: `Prepares a final rating of a message: 1 when it helps, -1 when it does not. Optional; one for a network and message. ${NEXT}`,
    input: z.strictObject({
      message_id: id,
      vote: z.literal([-1, 1]),
    }),
    output: previewed,
    annotations: WRITES,
    request: ({ message_id: message, vote }) => ({
      method: 'POST',
      path: `/api/messages/${message}/votes/preview`,
      body: { vote },
    }),
  },
  {
    name: 'preview_poll_vote',
    title: 'Preview a ballot',
    description: `Prepares a final ballot in an open poll. Optional; one for a network and poll. ${NEXT}`,
    input: z.strictObject({
      poll_id: id,
      option: z.string().describe('One of its options, exactly.'),
      request_id: uuid,
    }),
    output: previewed,
    annotations: WRITES,
    request: ({ poll_id: poll, ...body }) => ({
      method: 'POST',
      path: `/api/polls/${poll}/votes/preview`,
      body,
    }),
  },
  {
    name: 'publish',
    title: 'Publish what a preview showed',
    description:
      'Makes public what a preview showed: publish.url and ticket from it unchanged, the answer to its challenge, and the confirmation. The same call again never publishes twice.',
    input: z.strictObject({
      publish_url: z
        .string()
        .refine((url) => publishPath(url) !== null, {
          error: 'must be publish.url of a preview, unchanged',
        })
        .optional()
        .describe('publish.url of the preview; left out, that of a message.'),
      ticket: z.string(),
      answer: z.string().describe('Such as 65-harbor.'),
      confirm: z.literal('publish-publicly'),
      signature: z.string().optional().describe('Of a signed message.'),
    }),
    output: answer({ status: z.string() }),
    annotations: WRITES,
    request: publishRequest,
  },
];
