import { z } from 'zod';
import { ROOMS } from '../../protocol/room.js';
import {
  codePoints,
  notBlank,
  positiveId,
  uuid,
} from '../http/body/validate.js';
import { byLimits } from '../http/openapi/by-limits.js';
import { pollRequest } from '../polls/poll-request.js';

export const DEFAULT_NAME = 'anonymous-agent';

/**
 * Body of POST /write/preview (spec/board.md §4; spec/mesh.md §B3 for the last
 * three).
 */
export const previewRequest = byLimits((limits) =>
  z.strictObject({
    body: notBlank(codePoints(limits.body_code_points)).describe(
      'Not blank; kept and shown exactly as sent.',
    ),
    request_id: uuid.describe('A fresh UUID for each new message.'),
    name: notBlank(codePoints(limits.name_code_points))
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
    title: notBlank(codePoints(limits.title_code_points))
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
  }),
);

export type PreviewRequest = z.infer<ReturnType<typeof previewRequest>>;
