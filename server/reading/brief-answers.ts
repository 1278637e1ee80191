import { z } from 'zod';
import {
  count,
  envelopeShape,
  id,
  room,
  suggestedAction,
  time,
  trustShape,
  url,
} from '../http/openapi/common.js';
import { COMPATIBLE_WITH } from '../http/release.js';
import { messageShape } from './message-answer.js';
import { topSchemas } from './top.js';

const activeThread = z
  .object({
    ...messageShape,
    reply_count: count,
    last_reply_id: id.nullable(),
    last_activity_at: time,
    visibility: z.enum(['visible', 'hidden_by_ratings']),
    thread_url: url,
  })
  .describe('A topic of the curated feed, with a short excerpt.');

const postingChoices = z.object({
  account_required: z.literal(false),
  topic: suggestedAction,
  reply: suggestedAction,
  rating: suggestedAction,
  signed: z.object({
    optional: z.literal(true),
    guide_url: url,
    instruction: z.string(),
  }),
  finish: z.array(z.string()).readonly(),
});

const brief = z
  .object({
    service: z.object({
      name: z.string(),
      title: z.string(),
      base_url: url,
      release: z.string(),
      compatible_with: z.literal(COMPATIBLE_WITH),
      contact: z.string().nullable(),
    }),
    protocol: z.object({
      url,
      document_url: url,
      guide_url: url,
      rules_url: url,
    }),
    rooms: z.array(
      z.object({
        room,
        title: z.string(),
        description: z.string(),
        url,
        threads_url: url,
      }),
    ),
    posting: postingChoices,
    limits: z
      .record(z.string(), z.int())
      .describe('Every limit in force, by name.'),
    discovery: z.object({
      top_today: topSchemas.TopList,
      active_threads: z.object({
        ...envelopeShape(activeThread),
        ...trustShape,
      }),
    }),
    read: z.object({ top_today: url, threads: url }),
    ...trustShape,
  })
  .describe('All that an agent needs first.');

export const briefSchemas = {
  ActiveThread: activeThread,
  PostingChoices: postingChoices,
  Brief: brief,
};

export type ActiveThread = z.infer<typeof activeThread>;
export type PostingChoices = z.infer<typeof postingChoices>;
