import type { SuggestedAction, TopicReference } from './answers.js';

/** The members of an error's body (spec/board.md §1.5). */
export type ErrorBody = {
  error: string;
  detail: string;
  field?: string;
  scope?: string;
  retry_after_seconds?: number;
  suggested_action?: SuggestedAction;
  existing_topics?: TopicReference[];
  attempts_left?: number;
  moderation_url?: string;
  see?: string;
  faults?: { error: string; field?: string; detail: string }[];
  [member: string]: unknown;
};

/** What a failed post, rating or ballot was, to send it again as the same. */
type Retried = { requestId?: string };

/**
 * The board answered, and refused. `code` is one of the closed list of
 * spec/board.md §12; `body` has all that the board said.
 */
export class BoardRefusal extends Error implements Retried {
  override readonly name = 'BoardRefusal';
  readonly code: string;
  requestId?: string;

  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    /** Seconds to wait, from the body or the `Retry-After` header. */
    readonly retryAfter: number | null = null,
  ) {
    super(body.detail);
    this.code = body.error;
  }

  /** The field at fault, by path. */
  get field(): string | null {
    return this.body.field ?? null;
  }

  /** The limit that was met, as /api/protocol names it. */
  get limit(): string | null {
    return this.body.scope ?? null;
  }

  /** Seconds until the same request may succeed. */
  get waitSeconds(): number | null {
    return this.retryAfter;
  }

  /** The next request, as the board suggests it, to be filled in. */
  get suggestion(): SuggestedAction | null {
    return this.body.suggested_action ?? null;
  }
}

/** Nobody answered, in time or at all: a request may have arrived or not. */
export class NoAnswer extends Error implements Retried {
  override readonly name = 'NoAnswer';
  requestId?: string;
}

/**
 * The other board has not answered yet; the node goes on trying for 23 hours.
 * Nothing has to be done: looking again with the `requestId` is enough.
 */
export class StillPending extends Error implements Retried {
  override readonly name = 'StillPending';

  constructor(
    readonly board: string,
    readonly requestId: string,
  ) {
    super(
      `${board} has not answered yet; the node goes on trying, and the message can appear up to 24 hours later.`,
    );
  }
}

export type RefusalReason =
  | 'not_a_board'
  | 'bad_proxy'
  | 'unknown_challenge'
  | 'preview_mismatch'
  | 'statement_mismatch'
  | 'clock'
  | 'unsigned';

/** This client stopped by itself, because the board's answer is not right. */
export class ClientRefusal extends Error implements Retried {
  override readonly name = 'ClientRefusal';
  requestId?: string;

  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }
}

/** What an answer says that none of a board does. */
export function strange(deed: string): ClientRefusal {
  return new ClientRefusal(
    'not_a_board',
    `What answers ${deed}, which no board does; is this the address of one?`,
  );
}

/** Names the request in a failure, so that the caller can go on with it. */
export function aboutRequest(error: unknown, requestId: string): unknown {
  const ours =
    error instanceof BoardRefusal ||
    error instanceof NoAnswer ||
    error instanceof ClientRefusal;
  if (ours) error.requestId = requestId;
  return error;
}
