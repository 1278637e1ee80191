import { sha256 } from './bytes.js';
import {
  type Content,
  formatContentBlock,
  type PollContent,
} from './content-block.js';

export { contentFromJson, contentToJson } from './content-json.js';
export { type Content, formatContentBlock, type PollContent };

/** The `content` line of a statement. */
export function contentHash(content: Content): Uint8Array {
  return sha256(formatContentBlock(content));
}
