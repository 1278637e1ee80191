/**
 * A board as simple as one can write it: arrays in memory, no database, no
 * tickets. The real board must never differ from it in what it shows.
 */
export type DumbMessage = {
  id: number;
  rootId: number;
  replyTo: number | null;
  room: string;
  body: string;
  title: string | null;
  requestId: string;
  votes: Map<string, 1 | -1>;
  hidden: boolean;
};

export type DumbPoll = {
  id: number;
  rootId: number;
  options: string[];
  closesAt: number;
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

export class DumbBoard {
  readonly messages: DumbMessage[] = [];
  readonly polls: DumbPoll[] = [];
  private readonly wishes = new Map<string, { wish: string; id: number }>();

  constructor(private readonly firstId: number) {}

  find(id: number): DumbMessage | undefined {
    return this.messages.find((message) => message.id === id);
  }

  publish(wish: Wish, network: string): Outcome {
    const text = JSON.stringify(wish);
    const known = this.wishes.get(wish.requestId);
    if (known !== undefined) {
      return known.wish === text
        ? { status: 200, code: 'already_published', id: known.id }
        : { status: 409, code: 'request_id_conflict' };
    }
    const id = this.firstId + this.messages.length;
    const parent =
      wish.replyTo === undefined ? undefined : this.find(wish.replyTo);
    this.messages.push({
      id,
      rootId: parent?.rootId ?? id,
      replyTo: parent?.id ?? null,
      room: parent?.room ?? wish.room ?? 'lobby',
      body: wish.body,
      title: parent === undefined ? (wish.title ?? null) : null,
      requestId: wish.requestId,
      votes: new Map(),
      hidden: false,
    });
    this.wishes.set(wish.requestId, { wish: text, id });
    if (parent !== undefined && wish.vote !== undefined) {
      this.count(parent, network, wish.vote);
    }
    return { status: 201, code: 'published', id };
  }

  rate(message: DumbMessage, network: string, vote: 1 | -1): Outcome {
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
    const before = poll.ballots.get(network);
    if (before !== undefined) {
      return before === option
        ? { status: 200, code: 'already_voted' }
        : { status: 409, code: 'already_voted' };
    }
    if (now >= poll.closesAt) return { status: 409, code: 'poll_closed' };
    poll.ballots.set(network, option);
    return { status: 201, code: 'published' };
  }

  score(message: DumbMessage): number {
    return [...message.votes.values()].reduce<number>((a, b) => a + b, 0);
  }

  isHidden(message: DumbMessage): boolean {
    return this.find(message.rootId)?.hidden === true;
  }

  private count(message: DumbMessage, network: string, vote: 1 | -1): void {
    if (message.votes.has(network)) return;
    message.votes.set(network, vote);
    if (message.replyTo === null && this.score(message) <= -3) {
      message.hidden = true;
    }
  }
}
