import {
  type ModerationAction,
  type ModerationReason,
  type PollOutcome,
  REVERSE,
  reasonsOf,
} from '../../../protocol/moderation.js';
import type { CommandInput } from '../../../server/dashboard/all-commands.js';
import type { DecisionSeen } from '../../../server/dashboard/commands/decisions.js';
import type { Item } from '../../../server/dashboard/commands/item.js';
import type { ReportSeen } from '../../../server/dashboard/commands/reports.js';
import type { Role } from '../../../server/dashboard/roles.js';

export type Draft = {
  action: ModerationAction;
  reason: ModerationReason;
  outcome: PollOutcome;
  explanation: string;
  note: string;
  /** To the reporter. */
  answer: string;
  /** The number of the decision that is reversed, or ''. */
  supersedes: string;
  settles: boolean;
};

/** For this item; the node decides in the end. */
export function actionsFor(item: Item, role: Role): ModerationAction[] {
  const { state, reply_to } = item.message;
  const gone = state === 'removed' || state === 'erased';
  const hidden = state.startsWith('hidden');
  const may: [ModerationAction, boolean][] = [
    ['poll_decision', item.poll?.type === 'proposal' && !gone],
    ['keep', !gone],
    ['remove', !gone],
    ['hide', !gone && reply_to === null && state !== 'hidden_by_decision'],
    ['restore_visibility', hidden],
    ['reinstate', state === 'removed'],
    ['erase', role === 'admin' && state !== 'erased'],
  ];
  return may.filter(([, fits]) => fits).map(([action]) => action);
}

export function isOpen({ status }: ReportSeen): boolean {
  return status === 'received' || status === 'in_review';
}

export function openReports(reports: readonly ReportSeen[]): string[] {
  return reports.filter(isOpen).map(({ request_id }) => request_id);
}

/** The reporters' reason where it fits. */
export function reasonFor(
  action: ModerationAction,
  wanted: readonly string[],
): ModerationReason {
  const allowed = reasonsOf(action);
  return (
    allowed.find((it) => wanted.includes(it)) ??
    allowed.find((it) => it === 'other') ??
    allowed[0] ??
    'other'
  );
}

export function firstDraft(
  item: Item,
  role: Role,
  undo: DecisionSeen | undefined,
): Draft {
  const actions = actionsFor(item, role);
  const back =
    undo?.action === 'keep' ? 'remove' : undo && REVERSE[undo.action];
  const usual = item.subject.startsWith('poll:') ? 'poll_decision' : 'keep';
  const action =
    actions.find((it) => it === back) ??
    actions.find((it) => it === usual) ??
    actions[0] ??
    'keep';
  const reported = item.reports.map(({ reason }) => reason);
  return {
    action,
    reason: reasonFor(action, reported),
    outcome: 'accepted',
    explanation: '',
    note: '',
    answer: '',
    supersedes: undo === undefined ? '' : String(undo.id),
    settles: true,
  };
}

/** Replaces an action that is no longer possible. */
export function fitting(item: Item, role: Role, draft: Draft): Draft {
  if (actionsFor(item, role).includes(draft.action)) return draft;
  const { action, reason } = firstDraft(item, role, undefined);
  return { ...draft, action, reason };
}

export function inputOf(
  item: Item,
  draft: Draft,
  seen: number | null,
): CommandInput<'decision.record'> {
  const { action, reason, outcome, explanation, note, supersedes } = draft;
  const answer = draft.answer.trim();
  const { poll } = item;
  const isPoll = action === 'poll_decision';
  const reports = draft.settles ? openReports(item.reports) : [];
  return {
    action,
    id: isPoll && poll !== null ? poll.id : item.message.id,
    reason,
    explanation,
    seen,
    ...(isPoll ? { outcome } : {}),
    ...(note.trim() === '' ? {} : { private_note: note }),
    ...(supersedes === '' ? {} : { supersedes: Number(supersedes) }),
    ...(reports.length === 0 ? {} : { report_ids: reports }),
    ...(reports.length === 0 || answer === '' ? {} : { answer }),
  };
}
