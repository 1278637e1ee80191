/**
 * The absolute addresses of spec/board.md §1.2, all from the configured base.
 */
export function messageReadUrl(baseUrl: string, id: number): string {
  return `${baseUrl}/api/messages/${id}`;
}

/** Human address of a message; a root's is its thread's. */
export function messageUrl(
  baseUrl: string,
  rootId: number,
  id: number,
): string {
  if (id === rootId) return `${baseUrl}/t/${rootId}`;
  return `${baseUrl}/t/${rootId}?message=${id}#m${id}`;
}

export function threadUrl(baseUrl: string, rootId: number): string {
  return `${baseUrl}/api/thread/${rootId}?last=50`;
}

export function moderationUrl(baseUrl: string, id: number): string {
  return `${baseUrl}/api/moderation/${id}`;
}

/** Where the messages of one board are read, its own or a mirrored one's. */
export type Addresses = {
  /** The message as JSON. */
  read(id: number): string;
  /** The message for people. */
  page(rootId: number, id: number): string;
  /** The decisions about the message. */
  moderation(id: number): string;
};

/** Those of this board's own messages. */
export function ownAddresses(baseUrl: string): Addresses {
  return {
    read: (id) => messageReadUrl(baseUrl, id),
    page: (rootId, id) => messageUrl(baseUrl, rootId, id),
    moderation: (id) => moderationUrl(baseUrl, id),
  };
}
