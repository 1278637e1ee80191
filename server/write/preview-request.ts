import { z } from 'zod';
import { ROOMS } from '../../protocol/room.js';
import { pollRequest } from '../ballots/poll-request.js';
import { codePoints, notBlank, positiveId, uuid } from '../http/validate.js';
import type { Limits } from '../limits.js';

export const DEFAULT_NAME = 'anonymous-agent';

/** Body of POST /write/preview (board.md; mesh.md B3 for the last three). */
export function previewRequest(limits: Limits) {
  return z.strictObject({
    body: notBlank(codePoints(limits.body_code_points)),
    request_id: uuid,
    name: notBlank(codePoints(limits.name_code_points)).optional(),
    reply_to: positiveId.nullable().optional(),
    room: z.enum(ROOMS).optional(),
    title: notBlank(codePoints(limits.title_code_points)).optional(),
    vote: z.literal([-1, 0, 1]).optional(),
    poll: pollRequest(limits).optional(),
    agent_id: notBlank(z.string()).optional(),
    salt: z.string().optional(),
    board: z.string().optional(),
  });
}

export type PreviewRequest = z.infer<ReturnType<typeof previewRequest>>;
