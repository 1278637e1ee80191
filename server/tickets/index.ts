import { castRating, rating, receipt } from './answers.js';

export const ticketSchemas = {
  Receipt: receipt,
  Rating: rating,
  CastRating: castRating,
};

export { type Failures, findFailures } from './answer-lock.sql.js';
export {
  type CastRating,
  castAnswers,
  castRating,
  castRequest,
  exampleReceipt,
  NOTHING_PUBLISHED,
  previewAgain,
  type Receipt,
  rating,
  receipt,
  stepsShape,
  votedAlready,
  votedWarning,
} from './answers.js';
export { refuseExample } from './example-uuids.js';
export { assertFewFailures, failuresBudget } from './failures.js';
export { storeTickets } from './insert-tickets.sql.js';
export {
  CHALLENGE_INSTRUCTION,
  type Issued,
  issueTicket,
  votingSteps,
} from './issue-ticket.js';
export {
  exampleRelayPending,
  exampleRelayReceipt,
  type RelayPending,
  type RelayReceipt,
  type RelayState,
  relayPending,
  relayReceipt,
  relayState,
} from './relayed-answers.js';
export { DRAFTS_MAX_BYTES, draftBytes, draftsFull } from './storage-limit.js';
export {
  type AnswerLock,
  assertTicketSize,
  challengeLocked,
  checkAnswer,
  checkVotingTicket,
  isSameNetwork,
  lockScope,
  TICKET_COLUMNS,
  type Ticket,
  type TicketRow,
  ticketHash,
  ticketInvalid,
  ticketOf,
  voterHash,
} from './ticket.js';
export { openTicket, sealTicket, type VotingTicket } from './voting-ticket.js';
