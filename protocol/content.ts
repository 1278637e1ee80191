import { equalBytes, sha256 } from './bytes.js';
import {
  type Content,
  formatContentBlock,
  type PollContent,
  readContentBlock,
} from './content-block.js';
import { CONTENT_BYTES } from './limits.js';
import { accepted, refused, type Verdict } from './verdict.js';

export { contentFromJson, contentToJson } from './content-json.js';
export { type Content, formatContentBlock, type PollContent };

/** Refuses more than 24 KiB and other spellings. */
export function parseContentBlock(
  block: Uint8Array,
): Verdict<Content, 'bad_content'> {
  if (block.length > CONTENT_BYTES) return refused('bad_content');
  const content = readContentBlock(block);
  if (content === null || !equalBytes(formatContentBlock(content), block)) {
    return refused('bad_content');
  }
  return accepted(content);
}

/** SHA-256 of the block: the `content` line of a statement. */
export function contentHash(content: Content): Uint8Array {
  return sha256(formatContentBlock(content));
}
