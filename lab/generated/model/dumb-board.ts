import { type DumbDecision, DumbModeration } from './dumb-moderation.js';

/** Arrays in memory, no tickets; the real board must show the same. */
export type DumbMessage = {
  id: number;
  rootId: number;
  replyTo: number | null;
  room: string;
  body: string;
  title: string | null;
  requestId: string;
  votes: Map<string, 1 | -1>;
  removed: boolean;
  visibility:
    | 'visible'
    | 'hidden_by_ratings'
    | 'hidden_by_decision'
    | 'restored_by_decision';
  decisions: DumbDecision[];
};

export type DumbPoll = {
  id: number;
  rootId: number;
  options: string[];
  closesAt: number;
  /** Its topic was removed once: it stays closed. */
  voided: boolean;
  ballots: Map<string, number>;
};

export type Wish = {
  requestId: string;
  body: string;
  title?: string;
  room?: string;
  replyTo?: number;
  vote?: 1 | -1;
};

export type Outcome = { status: number; code: string; id?: number };

const NO_PARENT: Outcome = { status: 400, code: 'invalid_input' };
const NO_MESSAGE: Outcome = { status: 404, code: 'message_not_found' };
const NO_POLL: Outcome = { status: 404, code: 'poll_not_found' };

export class DumbBoard {
  readonly messages: DumbMessage[] = [];
  readonly polls: DumbPoll[] = [];
  readonly moderation = new DumbModeration(this);
  private readonly wishes = new Map<string, { wish: string; id: number }>();

  constructor(private readonly firstId: number) {}

  find(id: number): DumbMessage | undefined {
    return this.messages.find((message) => message.id === id);
  }

  pollsOf({ id }: DumbMessage): DumbPoll[] {
    return this.polls.filter(({ rootId }) => rootId === id);
  }

  publish(wish: Wish, network: string): Outcome {
    const text = JSON.stringify(wish);
    const known = this.wishes.get(wish.requestId);
    if (known !== undefined) {
      return known.wish === text
        ? { status: 200, code: 'already_published', id: known.id }
        : { status: 409, code: 'request_id_conflict' };
    }
    const parent =
      wish.replyTo === undefined ? undefined : this.find(wish.replyTo);
    if (parent?.removed) return NO_PARENT;
    const id = this.firstId + this.messages.length;
    this.messages.push({
      id,
      rootId: parent?.rootId ?? id,
      replyTo: parent?.id ?? null,
      room: parent?.room ?? wish.room ?? 'lobby',
      body: wish.body,
      title: parent === undefined ? (wish.title ?? null) : null,
      requestId: wish.requestId,
      votes: new Map(),
      removed: false,
      visibility: 'visible',
      decisions: [],
    });
    this.wishes.set(wish.requestId, { wish: text, id });
    if (parent !== undefined && wish.vote !== undefined) {
      this.count(parent, network, wish.vote);
    }
    return { status: 201, code: 'published', id };
  }

  rate(message: DumbMessage, network: string, vote: 1 | -1): Outcome {
    if (message.removed) return NO_MESSAGE;
    const before = message.votes.get(network);
    if (before === undefined) {
      this.count(message, network, vote);
      return { status: 201, code: 'published' };
    }
    return before === vote
      ? { status: 200, code: 'already_voted' }
      : { status: 409, code: 'already_voted' };
  }

  ballot(
    poll: DumbPoll,
    network: string,
    option: number,
    now: number,
  ): Outcome {
    if (this.find(poll.rootId)?.removed) return NO_POLL;
    const before = poll.ballots.get(network);
    if (before !== undefined) {
      return before === option
        ? { status: 200, code: 'already_voted' }
        : { status: 409, code: 'already_voted' };
    }
    if (!this.isOpen(poll, now)) return { status: 409, code: 'poll_closed' };
    poll.ballots.set(network, option);
    return { status: 201, code: 'published' };
  }

  isOpen({ voided, closesAt }: DumbPoll, now: number): boolean {
    return !voided && now < closesAt;
  }

  score(message: DumbMessage): number {
    return [...message.votes.values()].reduce<number>((a, b) => a + b, 0);
  }

  isHidden(message: DumbMessage): boolean {
    const root = this.find(message.rootId);
    return root?.visibility.startsWith('hidden_') === true;
  }

  /** The messages of a topic below its first that are not removed. */
  replies({ id: root }: DumbMessage): DumbMessage[] {
    return this.messages.filter(
      ({ rootId, id, removed }) => rootId === root && id !== root && !removed,
    );
  }

  /** A restore is valid against later votes (spec/board.md §2.20). */
  private count(message: DumbMessage, network: string, vote: 1 | -1): void {
    if (message.votes.has(network)) return;
    message.votes.set(network, vote);
    const isTopic = message.replyTo === null;
    if (!isTopic || message.visibility !== 'visible') return;
    if (this.score(message) <= -3) message.visibility = 'hidden_by_ratings';
  }
}
