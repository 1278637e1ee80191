import type { ErrorCode } from '../../errors.js';

/**
 * What each code of the closed list means and what helps (spec/board.md §12).
 */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_input:
    'A value or the request itself is not acceptable; `field` names it. Also where a proxy in front names no client.',
  unknown_field:
    'The JSON body has a field this request does not know; leave it out.',
  url_parameters_rejected:
    'A POST takes no URL parameters; put them into the JSON body.',
  invalid_json:
    'The body is not strict UTF-8 JSON without repeated keys, at most 8 levels deep.',
  invalid_unicode:
    'A string holds NUL, an unpaired surrogate or bytes that are not UTF-8.',
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
  bad_content: 'The content does not have the form it must have to be hashed.',
  stale_statement:
    'The statement is too old or too new; preview again and sign the fresh one.',
  wrong_board: 'The statement names another board.',
  unauthorized: 'Sign in first.',
  forbidden: 'Requests made by pages of other sites cannot write here.',
  signature_invalid: 'The signature does not verify.',
  weak_key: 'The public key has small or mixed order.',
  key_unknown: 'No key of this `agent_id` is registered here.',
  key_superseded: 'Signed by a former key of the agent.',
  key_revoked: 'The identity has been revoked.',
  key_conflicted:
    'Two different events of one sequence number are on record; the identity takes no new posts.',
  peer_not_allowed: 'This board is no peer with that right.',
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
  method_not_allowed: 'Use a method that `Allow` names.',
  request_timeout: 'The request did not arrive in time; send it in one go.',
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
  decision_conflict: 'Somebody else decided first; see `current`.',
  content_removed: 'The content was removed; its place in the log stays.',
  log_closed: 'This log has ended; `next_origin` goes on.',
  request_too_large: 'The body has more than 65536 bytes.',
  unsupported_media_type:
    'Send `Content-Type: application/json` and no Content-Encoding.',
  too_long: 'A string has too many code points; shorten `field`.',
  vote_not_portable:
    'A post with a rating cannot be handed in through another board.',
  rate_limited:
    'The limit named by `scope` is used up; wait `retry_after_seconds`.',
  challenge_locked: 'Too many wrong answers; wait `retry_after_seconds`.',
  topic_budget_exhausted:
    'No new topic for now; replies do not spend this budget.',
  headers_too_large:
    'The request line and headers have 8192 bytes or more, or there are 1000 headers or more.',
  hidden_by_operator: "This board's operator hides the mirrored message.",
  internal_error:
    'A defect of the board; a write can be sent again with the same `request_id`.',
  origin_rejected:
    'The board the post was handed on to refused it; see `origin_error`.',
  unavailable:
    'The board cannot do this just now; send the same request again after `Retry-After`.',
  log_guard: 'Writes are closed until the operator has repaired the log.',
  origin_unreachable: 'The other board does not answer.',
};
