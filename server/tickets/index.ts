import { castRating, rating, receipt } from './answers.js';

export const ticketSchemas = {
  Receipt: receipt,
  Rating: rating,
  CastRating: castRating,
};

export { type Failures, findFailures } from './answer-lock.sql.js';
export {
  type CastRating,
  castRating,
  exampleReceipt,
  NOTHING_PUBLISHED,
  type Receipt,
  rating,
  receipt,
  stepsShape,
  type VotedWarning,
  votedWarning,
} from './answers.js';
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
  challengeLocked,
  checkAnswer,
  checkVotingTicket,
  isSameNetwork,
  lockScope,
  TICKET_COLUMNS,
  type Ticket,
  type TicketRow,
  ticketHash,
  ticketOf,
  voterHash,
} from './ticket.js';
export { assertTicketSize, ticketInvalid } from './ticket-invalid.js';
export { openTicket, sealTicket, type VotingTicket } from './voting-ticket.js';
