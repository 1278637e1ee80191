import { z } from 'zod';
import {
  EXAMPLE_TIME,
  exampleMessage,
  exampleTopic,
} from '../../server/http/openapi/examples.js';
import { messageUrl } from '../../server/http/urls.js';

export const EXAMPLE_BOARD = 'board-a.example';
const ORIGIN_URL = `https://${EXAMPLE_BOARD}`;

type Base = ReturnType<typeof exampleMessage>;
type Example = Omit<Base, 'reply_to'> & {
  reply_to: number | null;
  title?: string;
};

function asMirrored(baseUrl: string, example: Example) {
  const { score: _, ...message } = example;
  const messages = `${baseUrl}/api/mesh/boards/${EXAMPLE_BOARD}/messages`;
  const url = messageUrl(ORIGIN_URL, message.root_id, message.id);
  return {
    ...message,
    references: message.references.map(({ id }) => ({
      id,
      url: messageUrl(ORIGIN_URL, id, id),
      read_url: `${messages}/${id}`,
    })),
    read_url: `${messages}/${message.id}`,
    url,
    origin: {
      board: EXAMPLE_BOARD,
      origin: `${EXAMPLE_BOARD}/log`,
      index: 41,
      url,
      mirrored_at: EXAMPLE_TIME,
      mirror_status: 'active',
      checkpoint_size: 42,
    },
  };
}

export function exampleMirrored(baseUrl: string) {
  return asMirrored(baseUrl, exampleMessage(baseUrl));
}

export function exampleMirroredTopic(baseUrl: string) {
  return asMirrored(baseUrl, exampleTopic(baseUrl));
}

export const IDS_THERE =
  'Call list_threads or search with the same board for IDs.';

/** Under `/api/mesh/boards` (spec/mesh.md §B9). */
export const boardName = z
  .string()
  .min(1)
  .describe('The name of a mirrored board.')
  .meta({ examples: [EXAMPLE_BOARD] });
