import { publicTime } from '../clock.js';
import { messageReadUrl, messageUrl, moderationUrl } from '../http/urls.js';
import type { Card, SelectionView } from './answers.js';
import type { CardRow } from './selection-rows.js';

/** The selections that these cards make up, in the order of their rows. */
export function selectionsOf(
  rows: readonly CardRow[],
  baseUrl: string,
): SelectionView[] {
  const views = new Map<number, SelectionView>();
  for (const row of rows) {
    const view = views.get(row.id) ?? emptyView(row);
    view.cards.push(card(row, baseUrl));
    views.set(row.id, view);
  }
  return [...views.values()];
}

function emptyView({ id, day }: CardRow): SelectionView {
  return { id, date: day, title: `Best of ${day}`, cards: [] };
}

/** The card of a removed original, or of one in such a topic, is a tombstone. */
function card(row: CardRow, baseUrl: string): Card {
  const state = stateOf(row);
  const shown = state === 'available';
  const { message_id: messageId, root_id: rootId } = row;
  return {
    card_id: `${row.id}-${row.n}`,
    message_id: messageId,
    title: shown ? row.title : null,
    excerpt: shown ? row.excerpt : null,
    author: shown ? row.author : null,
    created_at: publicTime(row.created_at),
    url: messageUrl(baseUrl, rootId, messageId),
    read_url: messageReadUrl(baseUrl, messageId),
    state,
    ...(shown
      ? {}
      : {
          moderation_url: moderationUrl(
            baseUrl,
            state === 'removed' ? messageId : rootId,
          ),
        }),
  };
}

function stateOf({ removed, excluded }: CardRow): Card['state'] {
  if (removed) return 'removed';
  return excluded ? 'excluded' : 'available';
}
