import { AdminEvent, SavedView, SubjectClaim } from './admin-work.js';
import { AgentKey, AgentKeyEvent } from './agent-key.js';
import { Alarm } from './alarm.js';
import { Ballot } from './ballot.js';
import { BudgetHead, DayKey } from './budget.js';
import { ChallengeLock } from './challenge-lock.js';
import { Decision } from './decision.js';
import { DecisionTemplate } from './decision-template.js';
import { Evidence } from './evidence.js';
import { FigureSample } from './figure-sample.js';
import { IdCounter } from './id-counter.js';
import { JobRun } from './job-run.js';
import { LogCheckpoint } from './log-checkpoint.js';
import { LogCosignature } from './log-cosignature.js';
import { LogEntry } from './log-entry.js';
import { LogNode } from './log-node.js';
import { LogState } from './log-state.js';
import { Message } from './message.js';
import { MessageSearch } from './message-search.js';
import {
  MirrorDecision,
  MirrorState,
  MirrorStretch,
  MirrorUpdate,
} from './mirror.js';
import { MirrorMessage, MirrorSearch } from './mirror-message.js';
import {
  Operator,
  OperatorInvite,
  OperatorPasskey,
  OperatorPassphrase,
  OperatorRecovery,
} from './operator.js';
import {
  OperatorAttempt,
  OperatorAudit,
  OperatorChallenge,
  OperatorSession,
} from './operator-session.js';
import { Peer, PeerUsage } from './peer.js';
import { Poll } from './poll.js';
import { PollEvent } from './poll-event.js';
import { RelayOutbox } from './relay-outbox.js';
import { Report } from './report.js';
import { SealedContent } from './sealed-content.js';
import { SearchArchive, SearchSlice } from './search-archive.js';
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
  AdminEvent,
  AgentKey,
  AgentKeyEvent,
  Alarm,
  Ballot,
  BudgetHead,
  ChallengeLock,
  DayKey,
  Decision,
  DecisionTemplate,
  Evidence,
  FigureSample,
  IdCounter,
  JobRun,
  LogCheckpoint,
  LogCosignature,
  LogEntry,
  LogNode,
  LogState,
  Message,
  MessageSearch,
  MirrorDecision,
  MirrorMessage,
  MirrorSearch,
  MirrorState,
  MirrorStretch,
  MirrorUpdate,
  OperationDay,
  Operator,
  OperatorAttempt,
  OperatorAudit,
  OperatorChallenge,
  OperatorInvite,
  OperatorPasskey,
  OperatorPassphrase,
  OperatorRecovery,
  OperatorSession,
  Peer,
  PeerUsage,
  Poll,
  PollEvent,
  ReaderEvent,
  RelayOutbox,
  Report,
  RequestErrorDay,
  SavedView,
  SealedContent,
  SearchArchive,
  SearchSlice,
  Selection,
  SelectionCard,
  SessionDay,
  SessionTotal,
  Stream,
  SubjectClaim,
  Ticket,
  UsefulnessReport,
  Vote,
  WriteRequest,
];
