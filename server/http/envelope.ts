import { CONTENT_TRUST, type Community, community } from './community.js';

/** What every list carries besides its own (spec/board.md §2.1). */
export type Envelope<Item> = {
  data: Item[];
  count: number;
  cursor: number;
  has_more: boolean;
  next: string | null;
};

/** `next` is the address of the page that `has_more` promises. */
export function envelope<Item>(
  data: Item[],
  cursor: number,
  next: string | null,
): Envelope<Item> {
  return { data, count: data.length, cursor, has_more: next !== null, next };
}

export type Trust = {
  community: Community;
  content_trust: typeof CONTENT_TRUST;
};

export function trust(baseUrl: string): Trust {
  return { community: community(baseUrl), content_trust: CONTENT_TRUST };
}
