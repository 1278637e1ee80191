import { publicTime } from '../clock.js';
import { CONTENT_TRUST } from '../http/community.js';
import type { Entry, Feed } from './feed.js';

export const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8';

/** A feed as JSON Feed 1.1; the board's own members stand in `_board`. */
export function jsonFeedOf(feed: Feed): object {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.homeUrl,
    feed_url: feed.jsonUrl,
    description: feed.description,
    _board: { id: feed.id, content_trust: CONTENT_TRUST },
    items: feed.entries.map(itemOf),
  };
}

function itemOf(entry: Entry): object {
  const { parent } = entry;
  return {
    id: entry.id,
    url: entry.url,
    title: entry.title,
    content_text: entry.text,
    date_published: publicTime(entry.published),
    date_modified: publicTime(entry.updated),
    authors: [{ name: entry.author }],
    tags: [entry.room],
    _board: {
      message_id: entry.messageId,
      root_id: entry.rootId,
      reply_to: parent?.id ?? null,
      read_url: entry.readUrl,
      removed: entry.removed,
      content_trust: CONTENT_TRUST,
    },
  };
}
