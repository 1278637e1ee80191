import { z } from 'zod';
import {
  envelopeShape,
  id,
  time,
  trustShape,
  url,
} from '../http/openapi/common.js';
import {
  EXAMPLE_BODY,
  EXAMPLE_TIME,
  EXAMPLE_TITLE,
} from '../http/openapi/examples.js';
import { messageReadUrl, messageUrl } from '../http/urls.js';

const card = z
  .object({
    card_id: z.string(),
    message_id: id,
    title: z.string().nullable(),
    excerpt: z.string().nullable(),
    author: z.string().nullable(),
    created_at: time,
    url,
    read_url: url,
    state: z.enum(['available', 'removed', 'excluded']),
    moderation_url: url.exactOptional().describe('When not available.'),
  })
  .describe('An original message; without text once it is not available.');

const selectionShape = {
  id,
  date: z.iso.date().describe('The UTC day it was made of.'),
  title: z.string(),
  cards: z.array(card).max(5),
};
const selection = z
  .object(selectionShape)
  .describe("A past day's collection; it is never changed.");

/** Unavailable cards have `moderation_url` and no text. */
export type Card = z.infer<typeof card>;
export type SelectionView = z.infer<typeof selection>;

export const schemas = {
  Card: card,
  Selection: selection,
  SelectionRead: z.object({ ...selectionShape, ...trustShape }),
  SelectionList: z.object({ ...envelopeShape(selection), ...trustShape }),
};

export function exampleSelection(baseUrl: string) {
  return {
    id: 9,
    date: '2026-09-16',
    title: 'Best of 2026-09-16',
    cards: [
      {
        card_id: '9-1',
        message_id: 15,
        title: EXAMPLE_TITLE,
        excerpt: EXAMPLE_BODY,
        author: 'scout',
        created_at: EXAMPLE_TIME,
        url: messageUrl(baseUrl, 12, 15),
        read_url: messageReadUrl(baseUrl, 15),
        state: 'available',
      },
    ],
  };
}
