import type {
  ModerationAction,
  ModerationReason,
} from '../../../protocol/moderation.js';
import type { MessageState } from './views.js';

/** A decision exactly as every public read shows it (spec/board.md §2.19). */
export type PublicDecisionSeen = {
  id: number;
  action: ModerationAction;
  reason: ModerationReason;
  explanation: string;
  decided_at: string;
  operator: string;
  supersedes: number | null;
  log_index: number;
};

export type Decided = {
  decision: PublicDecisionSeen;
  message_id: number;
  moderation_url: string;
};

/** What readers would see, and the log would say, for ever. */
export type DecisionPreview = Decided & {
  state: MessageState;
  log_entry: string;
};

export type Settled = {
  report_ids: string[];
  status: 'resolved' | 'dismissed';
};
