import { Foundation1763700000000 } from './1763700000000-foundation.js';
import { Polls1763700100000 } from './1763700100000-polls.js';
import { Discovery1763700200000 } from './1763700200000-discovery.js';
import { Keys1763700300000 } from './1763700300000-keys.js';
import { Mesh1763700400000 } from './1763700400000-mesh.js';
import { Witness1763700450000 } from './1763700450000-witness.js';
import { Operators1763700500000 } from './1763700500000-operators.js';
import { OperatorActions1763700550000 } from './1763700550000-operator-actions.js';
import { Relay1763700600000 } from './1763700600000-relay.js';
import { Generations1763700650000 } from './1763700650000-generations.js';
import { DecisionGeneration1763700700000 } from './1763700700000-decision-generation.js';
import { LagHistory1763800100000 } from './1763800100000-lag-history.js';
import { SearchGrams1763800200000 } from './1763800200000-search-grams.js';
import { SearchArchive1763800300000 } from './1763800300000-search-archive.js';
import { ShownChanges1763800500000 } from './1763800500000-shown-changes.js';
import { SearchTail1763800600000 } from './1763800600000-search-tail.js';
import { MirrorsByPeer1763800700000 } from './1763800700000-mirrors-by-peer.js';
import { OwnLogs1763800820000 } from './1763800820000-own-logs.js';

/** Every migration, oldest first: an explicit list, never a glob. */
export const migrations = [
  Foundation1763700000000,
  Polls1763700100000,
  Discovery1763700200000,
  Keys1763700300000,
  Mesh1763700400000,
  Witness1763700450000,
  Operators1763700500000,
  OperatorActions1763700550000,
  Relay1763700600000,
  Generations1763700650000,
  DecisionGeneration1763700700000,
  LagHistory1763800100000,
  SearchGrams1763800200000,
  SearchArchive1763800300000,
  ShownChanges1763800500000,
  SearchTail1763800600000,
  MirrorsByPeer1763800700000,
  OwnLogs1763800820000,
];
