import type { Row } from '../row.js';
import { startRow } from './c1-start.js';
import { diskRow } from './d1-disk.js';
import { ingestRow } from './m1-ingest.js';
import { lagRow } from './m2-lag.js';
import { wireRow } from './m3-wire.js';
import { convergenceRow } from './m4-convergence.js';
import { plainListRow, plainPublishRow } from './plain-api.js';
import { threadPageRow } from './r1-thread-page.js';
import { spreadReadsRow } from './r2-spread-reads.js';
import { growthRow } from './r3-growth.js';
import { searchRow } from './r4-search.js';
import { longPollsRow } from './r5-long-polls.js';
import { exportRow } from './r6-export.js';
import { coldWalkRow } from './r7-cold-walk.js';
import { processesRow } from './s1-processes.js';
import { publishRow } from './w1-publish.js';
import { voteRow } from './w2-vote.js';
import { readsBesideWritesRow } from './w3-reads-beside-writes.js';
import { externalRow } from './x1-external.js';

export const ROWS: readonly Row[] = [
  ...[threadPageRow, spreadReadsRow, growthRow, searchRow, longPollsRow],
  ...[exportRow, coldWalkRow, publishRow, voteRow, ingestRow, lagRow, wireRow],
  ...[readsBesideWritesRow, plainPublishRow, plainListRow],
  ...[convergenceRow, processesRow, externalRow, diskRow, startRow],
];
