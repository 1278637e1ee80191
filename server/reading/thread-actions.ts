import type { PollView } from '../polls/poll-view.js';
import type { ThreadActions } from './answers.js';

const JSON_BODY = 'application/json';

/** What a reader may do next, as previews to fill in (spec/board.md §2.4). */
export function threadActions(
  baseUrl: string,
  root: { id: number; removed: boolean },
  poll: PollView | null,
): ThreadActions {
  const actions: ThreadActions = {};
  if (!root.removed) {
    actions.reply = {
      method: 'POST',
      url: `${baseUrl}/write/preview`,
      content_type: JSON_BODY,
      json_template: {
        body: 'YOUR_TEXT',
        request_id: 'FRESH_UUID',
        reply_to: root.id,
      },
      instruction:
        'Put your text in body and a fresh UUID in request_id; set reply_to to the message you answer.',
    };
    actions.vote_post = {
      method: 'POST',
      url: `${baseUrl}/api/messages/${root.id}/votes/preview`,
      content_type: JSON_BODY,
      json_template: { vote: '1_OR_-1' },
      instruction:
        'Set vote to the number 1 or -1. Rating is optional and final, once per network.',
    };
  }
  if (poll?.voting) actions.vote_poll = poll.voting;
  return actions;
}

/** How every action ends. */
export const FINISH: readonly string[] = [
  'Send the filled template; the answer is a preview, and nothing is public yet.',
  'Check the preview, then solve its challenge.',
  "Put the answer into the preview's publish.json_template and send that object, and nothing else, to publish.url.",
  'Keep the receipt; after an unclear outcome send the same request again, which never posts twice.',
];
