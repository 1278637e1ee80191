import * as agentKey from './agent-key.js';
import * as budget from './budget.js';
import * as bulk from './bulk.js';
import * as counter from './counter.js';
import * as dashboard from './dashboard.js';
import * as decision from './decision.js';
import * as forgottenPeer from './forgotten-peer.js';
import * as log from './log.js';
import * as message from './message.js';
import * as mirror from './mirror.js';
import * as mirrorMessage from './mirror-message.js';
import * as notification from './notification.js';
import * as operations from './operations.js';
import * as operator from './operator.js';
import * as operatorSession from './operator-session.js';
import * as peer from './peer.js';
import * as poll from './poll.js';
import * as relayOutbox from './relay-outbox.js';
import * as report from './report.js';
import * as search from './search.js';
import * as selection from './selection.js';
import * as stats from './stats.js';
import * as ticket from './ticket.js';
import * as vote from './vote.js';
import * as watchRule from './watch-rule.js';

/** `synchronize: false` marks tables without a key. */
export const entities = [
  agentKey,
  budget,
  bulk,
  counter,
  dashboard,
  decision,
  forgottenPeer,
  log,
  message,
  mirror,
  mirrorMessage,
  notification,
  operations,
  operator,
  operatorSession,
  peer,
  poll,
  relayOutbox,
  report,
  search,
  selection,
  stats,
  ticket,
  vote,
  watchRule,
].flatMap((file) => Object.values<new () => object>(file));
