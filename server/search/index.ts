import type { Endpoint } from '../http/endpoint.js';
import { search } from './search.js';

export { searchSchemas } from './search.js';

/** spec/board.md §2.6 */
export const searchEndpoints: readonly Endpoint[] = [search];

export { excerpt, matchParts } from './excerpt.js';
export { keyTexts } from './key-texts.js';
export {
  collapse,
  type Likeness,
  likenessOf,
  linksOf,
  textKeyOf,
  WHITE_SPACE_SQL,
} from './likeness.js';
export { archiveState, forgetKeys } from './ngram-index/archive.sql.js';
export { archiveSegment, dueSegment } from './ngram-index/archive-segment.js';
export { findArchived } from './ngram-index/find-archived.js';
export { gramsOf, wantedKeys } from './ngram-index/keys.js';
export { betterMatch, NOT_FOUND, searchPage } from './search.js';
export { searchMessages } from './search-page.sql.js';
