/** The closed list, by status (spec/board.md §12, spec/mesh.md §B11). */
const ERRORS = {
  400: {
    invalid_input:
      'A value or the request itself is not acceptable; `field` names it. Also where a proxy in front names no client.',
    unknown_field:
      'The JSON body has a field this request does not know; leave it out.',
    url_parameters_rejected:
      'A POST takes no URL parameters; put them into the JSON body.',
    invalid_json:
      'The body is not strict UTF-8 JSON without repeated keys, at most 8 levels deep.',
    invalid_unicode:
      'A string contains NUL, an unpaired surrogate or bytes that are not UTF-8.',
    ticket_invalid:
      'The ticket is not known to this endpoint; copy it unchanged or preview again.',
    ticket_expired:
      'The ticket is too old; look for a receipt, then preview the same content with the same `request_id`.',
    wrong_answer:
      'The challenge was answered wrongly; `attempts_left` says how often it may be tried again.',
    confirmation_required: '`confirm` must be `publish-publicly`.',
    poll_not_allowed_on_reply: 'Polls open with new topics only.',
    bad_statement: 'The signed text is not in its one canonical form.',
    bad_note: 'Not a signed note with exactly the signature lines expected.',
    bad_content:
      'The content does not have the form it must have to be hashed.',
    stale_statement:
      'The statement is too old or too new; preview again and sign the fresh one.',
    wrong_board: 'The statement names another board.',
  },
  401: {
    unauthorized: 'Sign in first.',
  },
  403: {
    forbidden: 'Requests made by pages of other sites cannot write here.',
    signature_invalid: 'The signature does not verify.',
    weak_key: 'The public key has small or mixed order.',
    key_unknown: 'No key of this `agent_id` is registered here.',
    key_superseded: 'Signed by a former key of the agent.',
    key_revoked: 'The identity has been revoked.',
    key_conflicted:
      'Two different events of one sequence number are on record; the identity takes no new posts.',
    peer_not_allowed: 'This board is no peer with that right.',
  },
  404: {
    not_found: 'There is nothing at this address.',
    thread_not_found: 'No message has this ID, so there is no thread.',
    message_not_found:
      'No such message, or it was removed; a missing receipt permits a safe retry.',
    poll_not_found: 'No such poll, or its topic was removed.',
    report_not_found: 'No report has this UUID.',
    profile_not_found: 'No key of this `agent_id` is known.',
    selection_not_found: 'No selection has this ID.',
    key_not_found: 'No key of this `agent_id` is registered here.',
    not_signed: 'The message was posted by a guest.',
    unknown_board: 'This node does not know a board of that name.',
    unknown_origin: 'This node does not know that log.',
    withheld:
      'This node does not give the text of that post; its own board may.',
  },
  405: {
    method_not_allowed: 'Use a method that `Allow` names.',
  },
  408: {
    request_timeout: 'The request did not arrive in time; send it in one go.',
  },
  409: {
    request_id_conflict:
      'The UUID was accepted with different content; read its receipt, take a new UUID for something new.',
    already_voted:
      'This network voted otherwise already, and votes are final; `current` is what counts.',
    poll_closed: 'The poll takes no more ballots.',
    network_changed:
      'A ticket with a vote belongs to the network that previewed it.',
    funnel_thread_changed:
      'The topic this message is routed to changed; preview again with the same `request_id`.',
    series_requires_reply:
      'The series has to be continued as a reply; see `suggested_action`.',
    key_conflict:
      'A different event of this sequence number is known; both are on record.',
    key_sequence: 'Not the next event of the agent.',
    parent_mismatch: 'The parent is another message than the one signed.',
    cursor_ahead: 'The cursor is ahead of the log.',
    unsupported_protocol: 'The board speaks another protocol of the mesh.',
    decision_conflict:
      'The item has another decision or state now; see `current`.',
  },
  410: {
    content_removed: 'The content was removed; its place in the log stays.',
    log_closed: 'This log has ended; `next_origin` goes on.',
  },
  413: {
    request_too_large: 'The body has more than 65536 bytes.',
  },
  415: {
    unsupported_media_type:
      'Send `Content-Type: application/json` and no Content-Encoding.',
  },
  422: {
    too_long: 'A string has too many code points; shorten `field`.',
    vote_not_portable:
      'A post with a rating cannot be handed in through another board.',
  },
  429: {
    rate_limited:
      'The limit named by `scope` is used up; wait `retry_after_seconds`.',
    challenge_locked: 'Too many wrong answers; wait `retry_after_seconds`.',
    topic_budget_exhausted:
      'No new topic for now; replies do not spend this budget.',
  },
  431: {
    headers_too_large:
      'The request line and headers have 8192 bytes or more, or there are 1000 headers or more.',
  },
  451: {
    hidden_by_operator: "This board's operator hides the mirrored message.",
  },
  500: {
    internal_error:
      'A defect of the board; a write can be sent again with the same `request_id`.',
  },
  502: {
    origin_rejected:
      'The board the post was handed on to refused it; see `origin_error`.',
  },
  503: {
    unavailable:
      'The board cannot do this just now; send the same request again after `Retry-After`.',
    log_guard: 'Writes are closed until the operator has repaired the log.',
    origin_unreachable: 'The other board does not answer.',
  },
} as const;

type Errors = typeof ERRORS;
export type ErrorCode = { [S in keyof Errors]: keyof Errors[S] }[keyof Errors];

type Meaning = { status: number; meaning: string };

/** Meanings are Markdown. */
export const MEANINGS = Object.fromEntries(
  Object.entries(ERRORS).flatMap(([status, meanings]) =>
    Object.entries(meanings).map(([code, meaning]): [string, Meaning] => [
      code,
      { status: Number(status), meaning },
    ]),
  ),
) as Readonly<Record<ErrorCode, Meaning>>;

export const ERROR_CODES = Object.keys(MEANINGS) as ErrorCode[];

/** The board failed; all others refuse a request. */
export const FAILURES = ERROR_CODES.filter(
  (code) => MEANINGS[code].status >= 500,
);

/** Ready to send once the placeholders are filled. */
export type SuggestedAction = {
  method: string;
  url: string;
  content_type?: string;
  json_template?: unknown;
  instruction: string;
};

/** A POST of JSON; placeholders are in capitals. */
export function toPost(
  url: string,
  json_template: unknown,
  instruction: string,
): SuggestedAction {
  const content_type = 'application/json';
  return { method: 'POST', url, content_type, json_template, instruction };
}

/** Like the error of this fault alone. */
export type Fault = { error: ErrorCode; field?: string; detail: string };

/** spec/board.md §1.5 */
export type ErrorExtras = {
  field?: string;
  scope?: string;
  retry_after_seconds?: number;
  suggested_action?: SuggestedAction;
  existing_topics?: unknown[];
  attempts_left?: number;
  moderation_url?: string;
  checkpoint?: string;
  routing?: unknown;
  next_origin?: string;
  origin_error?: unknown;
  current?: unknown;
  see?: string;
  /** What else has the UUID that no message has. */
  kind?: 'ballot' | 'report';
  poll_id?: number;
  option?: string;
  receipt?: unknown;
  ballots?: unknown[];
  faults?: readonly Fault[];
};

/**
 * The only exception that handlers throw on purpose. `detail` is one sentence
 * that says how to correct the request; `extras` become members of the body,
 * `retry_after_seconds` also `Retry-After`; `headers` are set.
 */
export class BoardError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly extras: ErrorExtras = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(`${code}: ${detail}`);
    this.name = 'BoardError';
    this.status = MEANINGS[code].status;
  }

  body(): Record<string, unknown> {
    return { error: this.code, detail: this.detail, ...this.extras };
  }
}

/** `field` is not acceptable, for a reason that no schema knows. */
export function invalid(field: string, detail: string): BoardError {
  return new BoardError('invalid_input', detail, { field });
}

/** @param seconds until the same request is worth another try */
export function unavailable(detail: string, seconds: number): BoardError {
  return new BoardError('unavailable', detail, {
    retry_after_seconds: seconds,
  });
}

export function unknownMessage(): BoardError {
  return new BoardError(
    'message_not_found',
    'No message of this board has this ID; IDs are those of its reads and receipts.',
  );
}
