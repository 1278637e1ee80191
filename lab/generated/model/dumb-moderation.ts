import type { DumbBoard, DumbMessage, Outcome } from './dumb-board.js';

export type Decisive =
  | 'remove'
  | 'reinstate'
  | 'hide'
  | 'restore_visibility'
  | 'keep';

export type DumbReport = {
  requestId: string;
  kind: 'report' | 'appeal';
  messageId: number;
  at: number;
  from: string;
  status: 'received' | 'resolved';
  by?: DumbDecision;
  /** The decision to keep that was there before it. */
  repeats?: DumbDecision;
};

const REPEATED_MS = 7 * 24 * 3_600_000;

export type DumbDecision = {
  action: Decisive;
  at: number;
  shown: { id: number };
};

const CONFLICT: Outcome = { status: 409, code: 'decision_conflict' };
const NOT_A_TOPIC: Outcome = { status: 400, code: 'invalid_input' };
const DECIDED: Outcome = { status: 200, code: 'decided' };

export class DumbModeration {
  readonly reports: DumbReport[] = [];

  constructor(private readonly board: DumbBoard) {}

  /** An appeal opens what was settled; a kept report waits for a third. */
  file(report: DumbReport, { decisions }: DumbMessage): void {
    const before = this.of(report.messageId);
    this.reports.push(report);
    if (report.kind === 'appeal') {
      for (const other of before) {
        if (other.kind === 'report') other.status = 'received';
      }
      return;
    }
    const last = decisions.at(-1);
    if (last?.action !== 'keep' || last.at <= report.at - REPEATED_MS) return;
    if (!before.some(({ kind, by }) => kind === 'report' && by === last)) {
      return;
    }
    Object.assign(report, { status: 'resolved', by: last, repeats: last });
    const same = [...before, report].filter(({ repeats }) => repeats === last);
    if (new Set(same.map(({ from }) => from)).size < 3) return;
    for (const one of same) one.status = 'received';
  }

  of(messageId: number): DumbReport[] {
    return this.reports.filter((one) => one.messageId === messageId);
  }

  open(messageId: number): DumbReport[] {
    return this.of(messageId).filter(({ status }) => status === 'received');
  }

  judged(message: DumbMessage, action: Decisive): Outcome {
    const { removed, visibility, replyTo } = message;
    const isHidden = visibility.startsWith('hidden_');
    switch (action) {
      case 'remove':
        return removed ? CONFLICT : DECIDED;
      case 'reinstate':
        return removed ? DECIDED : CONFLICT;
      case 'keep':
        return removed || this.isKept(message) ? CONFLICT : DECIDED;
      case 'hide':
        if (replyTo !== null) return NOT_A_TOPIC;
        return removed || visibility === 'hidden_by_decision'
          ? CONFLICT
          : DECIDED;
      case 'restore_visibility':
        if (replyTo !== null) return NOT_A_TOPIC;
        return removed || !isHidden ? CONFLICT : DECIDED;
    }
  }

  undone(message: DumbMessage, action: Decisive): number | null {
    const undoes: Readonly<Partial<Record<Decisive, readonly Decisive[]>>> = {
      reinstate: ['remove'],
      hide: ['hide', 'restore_visibility'],
      restore_visibility: ['hide', 'restore_visibility'],
    };
    const last = message.decisions.findLast((one) =>
      undoes[action]?.includes(one.action),
    );
    return last?.shown.id ?? null;
  }

  decide(
    message: DumbMessage,
    decision: DumbDecision,
    settled: readonly string[],
  ): void {
    message.decisions.push(decision);
    switch (decision.action) {
      case 'remove':
        message.removed = true;
        for (const poll of this.board.pollsOf(message)) poll.voided = true;
        break;
      case 'reinstate':
        message.removed = false;
        break;
      case 'hide':
        message.visibility = 'hidden_by_decision';
        break;
      case 'restore_visibility':
        message.visibility = 'restored_by_decision';
        break;
      case 'keep':
        break;
    }
    for (const report of this.of(message.id)) {
      if (!settled.includes(report.requestId)) continue;
      Object.assign(report, { status: 'resolved', by: decision });
    }
  }

  /** The newest decision keeps it, and nobody has reported it since. */
  private isKept({ id, decisions }: DumbMessage): boolean {
    const last = decisions.at(-1);
    if (last?.action !== 'keep') return false;
    return !this.of(id).some(({ at }) => at > last.at);
  }
}
