import type { Content } from '../../protocol/content.js';

/** A removal takes salt and texts together. */
export type StoredContent = {
  salt: Buffer | null;
  author: string | null;
  title: string | null;
  body: string | null;
  poll: NonNullable<Content['poll']> | null;
};

/** What is hashed of it (spec/mesh.md §B3). */
export function storedContent(row: StoredContent): Content | null {
  const { salt, author: name, title, body, poll } = row;
  if (salt === null || name === null || body === null) return null;
  return {
    salt,
    name,
    body,
    ...(title === null ? {} : { title }),
    ...(poll === null ? {} : { poll }),
  };
}
