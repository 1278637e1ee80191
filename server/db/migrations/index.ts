import { Ledger1763900100000 } from './1763900100000-ledger.js';
import { Posting1763900200000 } from './1763900200000-posting.js';
import { VotesAndPolls1763900300000 } from './1763900300000-votes-and-polls.js';
import { Moderation1763900400000 } from './1763900400000-moderation.js';
import { Agents1763900500000 } from './1763900500000-agents.js';
import { Operations1763900600000 } from './1763900600000-operations.js';
import { Mesh1763900700000 } from './1763900700000-mesh.js';
import { Operators1763900800000 } from './1763900800000-operators.js';
import { RunnerRole1795759000000 } from './1795759000000-runner-role.js';
import { ClaimedNames1795820000000 } from './1795820000000-claimed-names.js';
import { MakersOfLinks1795830000000 } from './1795830000000-makers-of-links.js';
import { SealedCounters1795840000000 } from './1795840000000-sealed-counters.js';
import { NoQuietHours1795850000000 } from './1795850000000-no-quiet-hours.js';
import { CountedDays1795855000000 } from './1795855000000-counted-days.js';
import { LevelsOfPeers1795856000000 } from './1795856000000-levels-of-peers.js';
import { changes } from './changes.js';
import { likenessNotesAndBulks } from './likeness-notes-and-bulks.js';

/** Oldest first; an explicit list, never a glob. */
export const migrations = [
  Ledger1763900100000,
  Posting1763900200000,
  VotesAndPolls1763900300000,
  Moderation1763900400000,
  Agents1763900500000,
  Operations1763900600000,
  Mesh1763900700000,
  Operators1763900800000,
  ...changes,
  ...likenessNotesAndBulks,
  RunnerRole1795759000000,
  ClaimedNames1795820000000,
  MakersOfLinks1795830000000,
  SealedCounters1795840000000,
  NoQuietHours1795850000000,
  CountedDays1795855000000,
  LevelsOfPeers1795856000000,
];
