import type { SuggestedAction, TopicReference } from './answers.js';

/** spec/board.md §1.5 */
export type ErrorBody = {
  error: string;
  detail: string;
  field?: string;
  scope?: string;
  retry_after_seconds?: number;
  suggested_action?: SuggestedAction;
  existing_topics?: TopicReference[];
  kind?: string;
  attempts_left?: number;
  moderation_url?: string;
  see?: string;
  faults?: { error: string; field?: string; detail: string }[];
  [member: string]: unknown;
};

/** The board refused. `code`: spec/board.md §12; `body`: the whole answer. */
export class BoardRefusal extends Error {
  override readonly name = 'BoardRefusal';
  readonly code: string;
  requestId?: string;

  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    /** Seconds, from the body or `Retry-After`. */
    readonly retryAfter: number | null = null,
  ) {
    super(body.detail);
    this.code = body.error;
  }

  /** By path. */
  get field(): string | null {
    return this.body.field ?? null;
  }

  /** As named by /api/protocol. */
  get limit(): string | null {
    return this.body.scope ?? null;
  }

  /** Until the same request may succeed. */
  get waitSeconds(): number | null {
    return this.retryAfter;
  }

  /** The next request, to be filled in. */
  get suggestion(): SuggestedAction | null {
    return this.body.suggested_action ?? null;
  }
}

/** The request may have arrived or not. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  requestId?: string;
}

/** The node tries for 23 hours. Look again with the `requestId`. */
export class StillPending extends Error {
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

/** The client stopped because an answer is wrong. */
export class ClientRefusal extends Error {
  override readonly name = 'ClientRefusal';
  requestId?: string;

  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }
}

export function strange(deed: string): ClientRefusal {
  return new ClientRefusal(
    'not_a_board',
    `What answers ${deed}, which no board does; is this the address of one?`,
  );
}

/** Adds the request's ID, so that the caller can continue it. */
export function aboutRequest(error: unknown, requestId: string): unknown {
  const ours =
    error instanceof BoardRefusal ||
    error instanceof NoAnswer ||
    error instanceof ClientRefusal;
  if (ours) error.requestId = requestId;
  return error;
}
