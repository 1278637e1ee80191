/**
 * The closed list of error codes (spec/board.md §12, spec/mesh.md §B11) and the
 * one exception a handler may throw. `http/error-handler.ts` is the only
 * reader.
 */
const STATUS = {
  invalid_input: 400,
  unknown_field: 400,
  url_parameters_rejected: 400,
  invalid_json: 400,
  invalid_unicode: 400,
  ticket_invalid: 400,
  ticket_expired: 400,
  wrong_answer: 400,
  confirmation_required: 400,
  poll_not_allowed_on_reply: 400,
  bad_statement: 400,
  bad_note: 400,
  bad_content: 400,
  stale_statement: 400,
  wrong_board: 400,
  unauthorized: 401,
  forbidden: 403,
  signature_invalid: 403,
  weak_key: 403,
  key_unknown: 403,
  key_superseded: 403,
  key_revoked: 403,
  key_conflicted: 403,
  peer_not_allowed: 403,
  not_found: 404,
  thread_not_found: 404,
  message_not_found: 404,
  poll_not_found: 404,
  report_not_found: 404,
  profile_not_found: 404,
  selection_not_found: 404,
  key_not_found: 404,
  not_signed: 404,
  unknown_board: 404,
  unknown_origin: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  request_id_conflict: 409,
  already_voted: 409,
  poll_closed: 409,
  network_changed: 409,
  funnel_thread_changed: 409,
  series_requires_reply: 409,
  key_conflict: 409,
  key_sequence: 409,
  parent_mismatch: 409,
  cursor_ahead: 409,
  decision_conflict: 409,
  content_removed: 410,
  log_closed: 410,
  request_too_large: 413,
  unsupported_media_type: 415,
  too_long: 422,
  vote_not_portable: 422,
  rate_limited: 429,
  challenge_locked: 429,
  topic_budget_exhausted: 429,
  headers_too_large: 431,
  hidden_by_operator: 451,
  internal_error: 500,
  origin_rejected: 502,
  unavailable: 503,
  log_guard: 503,
  origin_unreachable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;
export const ERROR_CODES = Object.keys(STATUS) as ErrorCode[];

/**
 * What a caller can do next, ready to send once the placeholders are filled.
 */
export type SuggestedAction = {
  method: string;
  url: string;
  content_type?: string;
  json_template?: unknown;
  instruction: string;
};

/** The optional members of an error body (spec/board.md §1.5). */
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
};

/**
 * The only exception handlers throw on purpose.
 *
 * `detail` is one English sentence that says how to mend the request; `extras`
 * become further members of the body, and `retry_after_seconds` also the
 * `Retry-After` header. `headers` are set on the answer (e.g. `Allow`).
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
    this.status = STATUS[code];
  }

  /** The JSON body, with `error` and `detail` first. */
  body(): Record<string, unknown> {
    return { error: this.code, detail: this.detail, ...this.extras };
  }
}
