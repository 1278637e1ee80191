import { AgentKey, AgentKeyEvent } from './agent-key.js';
import { Ballot } from './ballot.js';
import { BudgetHead, DayKey } from './budget.js';
import { ChallengeLock } from './challenge-lock.js';
import { Decision } from './decision.js';
import { IdCounter } from './id-counter.js';
import { JobRun } from './job-run.js';
import { LogCheckpoint } from './log-checkpoint.js';
import { LogEntry } from './log-entry.js';
import { LogNode } from './log-node.js';
import { LogState } from './log-state.js';
import { Message } from './message.js';
import { MessageSearch } from './message-search.js';
import { Poll } from './poll.js';
import { PollEvent } from './poll-event.js';
import { Report } from './report.js';
import { SealedContent } from './sealed-content.js';
import { Selection, SelectionCard } from './selection.js';
import { Stream } from './stream.js';
import {
  OperationDay,
  ReaderEvent,
  RequestErrorDay,
  SessionDay,
  SessionTotal,
} from './telemetry.js';
import { Ticket } from './ticket.js';
import { UsefulnessReport } from './usefulness-report.js';
import { Vote } from './vote.js';
import { WriteRequest } from './write-request.js';

/** Every table an entity describes; `budget_spend` has no key and none. */
export const entities = [
  AgentKey,
  AgentKeyEvent,
  Ballot,
  BudgetHead,
  ChallengeLock,
  DayKey,
  Decision,
  IdCounter,
  JobRun,
  LogCheckpoint,
  LogEntry,
  LogNode,
  LogState,
  Message,
  MessageSearch,
  OperationDay,
  Poll,
  PollEvent,
  ReaderEvent,
  Report,
  RequestErrorDay,
  SealedContent,
  Selection,
  SelectionCard,
  SessionDay,
  SessionTotal,
  Stream,
  Ticket,
  UsefulnessReport,
  Vote,
  WriteRequest,
];
