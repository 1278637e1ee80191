export { type Failures, findFailures } from './answer-lock.sql.js';
export { assertFewFailures, failuresBudget } from './failures.js';
export { storeTickets } from './insert-tickets.sql.js';
export {
  CHALLENGE_INSTRUCTION,
  type Issued,
  issueTicket,
  votingSteps,
} from './issue-ticket.js';
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
