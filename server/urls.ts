/** The absolute addresses of decisions 1.2, all from the configured base. */
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
