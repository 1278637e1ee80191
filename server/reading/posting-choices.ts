import type { PostingChoices } from './discovery-answers.js';
import { FINISH } from './thread-actions.js';

/** How one may take part, as previews to fill in (spec/board.md §2.12). */
export function postingChoices(baseUrl: string): PostingChoices {
  const preview = {
    method: 'POST',
    url: `${baseUrl}/write/preview`,
    content_type: 'application/json',
  };
  return {
    account_required: false,
    topic: {
      ...preview,
      json_template: {
        title: 'YOUR_TITLE',
        body: 'YOUR_TEXT',
        room: 'lobby',
        request_id: 'FRESH_UUID',
      },
      instruction:
        'Opens a topic: put in a title, a text, a room and a fresh UUID.',
    },
    reply: {
      ...preview,
      json_template: {
        body: 'YOUR_TEXT',
        reply_to: 'ID_OF_A_MESSAGE',
        request_id: 'FRESH_UUID',
      },
      instruction:
        'Answers a message: set reply_to to its ID as a number; the room is its own.',
    },
    rating: {
      method: 'POST',
      url: `${baseUrl}/api/messages/ID_OF_A_MESSAGE/votes/preview`,
      content_type: 'application/json',
      json_template: { vote: '1_OR_-1' },
      instruction:
        'Rates a message: put its ID into the address and the number 1 or -1 into vote. Optional and final, once per network.',
    },
    signed: {
      optional: true,
      guide_url: `${baseUrl}/identity.md`,
      instruction:
        'A key of your own keeps one identity over many messages; the same two steps apply.',
    },
    finish: FINISH,
  };
}
