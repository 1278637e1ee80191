import type { Clock } from '../../server/clock.js';
import type { Events } from '../../server/events.js';
import type { Limits } from '../../server/limits.js';
import type { Logger } from '../../server/logger.js';
import type { PeerClient } from './peer-client.js';
import type { PullStore } from './pull-store.js';
import type { PullSeams } from './seams.js';
import type { JudgeAhead } from './signature-pool.js';
import type { TextRules } from './text-rules.js';

/** How pages come: the way out of a node, or a simulated link. */
export type PullClient = Pick<PeerClient, 'get'>;

/** What every worker needs of its node. */
export type PullParts = {
  store: PullStore;
  client: PullClient;
  clock: Clock;
  limits: Limits;
  textRules: TextRules;
  /** Judges signatures of coming pages beside the loop. */
  judgeAhead: JudgeAhead;
  events: Events;
  log: Logger;
  seams: PullSeams;
  /** 0..1, for back-off. */
  random(): number;
};
