import { BudgetHead, DayKey } from './budget.js';
import { ChallengeLock } from './challenge-lock.js';
import { LogCheckpoint } from './log-checkpoint.js';
import { LogEntry } from './log-entry.js';
import { LogNode } from './log-node.js';
import { LogState } from './log-state.js';
import { Message } from './message.js';
import { MessageSearch } from './message-search.js';
import { Ticket } from './ticket.js';
import { Vote } from './vote.js';
import { WriteRequest } from './write-request.js';

/** Every table an entity describes; `budget_spend` has no key and none. */
export const entities = [
  BudgetHead,
  ChallengeLock,
  DayKey,
  LogCheckpoint,
  LogEntry,
  LogNode,
  LogState,
  Message,
  MessageSearch,
  Ticket,
  Vote,
  WriteRequest,
];
