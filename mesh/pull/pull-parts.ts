import type { Clock } from '../../server/clock.js';
import type { Events } from '../../server/db/events.js';
import type { Limits } from '../../server/limits.js';
import type { Logger } from '../../server/logger.js';
import type { PeerClient } from './fetch/peer-client.js';
import type { PullSeams } from './hooks.js';
import type { PullStore } from './store/pull-store.js';
import type { JudgeAhead } from './verify/signature-pool.js';
import type { TextRules } from './verify/text-rules.js';

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
