import type { Content } from '../../protocol/content.js';

/** An entry of a log; `content` is null for what is no post or has no text. */
export type SourceEntry = { leaf: Uint8Array; content: Content | null };

export type BundleSource = {
  /** The log's signed head as it is now. */
  checkpoint(): Promise<string>;
  /** One or more entries from `from` on, none at `until` or beyond. */
  entries(from: number, until: number): Promise<SourceEntry[]>;
};
