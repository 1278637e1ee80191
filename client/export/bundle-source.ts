import type { Content } from '../../protocol/content.js';

/** `content` null: no post, or no text. */
export type SourceEntry = { leaf: Uint8Array; content: Content | null };

export type BundleSource = {
  checkpoint(): Promise<string>;
  /** At least one, from `from`, below `until`. */
  entries(from: number, until: number): Promise<SourceEntry[]>;
};
