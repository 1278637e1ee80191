// What the palette and the page of linked boards are answered.

/** What a text in the palette leads to, newest first. */
export type Found = {
  messages: {
    id: number;
    root_id: number;
    title: string | null;
    author: string | null;
    excerpt: string;
    at: number;
  }[];
  /** Names among the newest messages that begin so. */
  authors: { author: string; messages: number }[];
};

/** A board that keeps our log and may still show what was removed. */
export type Unacknowledged = {
  board: string;
  removals: number;
  /** The oldest of them. */
  message_id: number;
  since: number;
};
