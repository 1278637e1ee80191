import type { Row } from '../row.js';
import { threadPageRow } from './r1-thread-page.js';
import { spreadReadsRow } from './r2-spread-reads.js';
import { searchRow } from './r4-search.js';
import { publishRow } from './w1-publish.js';
import { voteRow } from './w2-vote.js';

/** The rows of the table, in its order. */
export const ROWS: readonly Row[] = [
  threadPageRow,
  spreadReadsRow,
  searchRow,
  publishRow,
  voteRow,
];
