import { BoardError } from '../errors.js';

/** 32 bytes; sealed tickets are longer. */
const MESSAGE_TICKET = /^[\w-]{43}$/;

/** A ticket with characters around it. */
const WRAPPED = /^[^\w-]+[\w-]{43,}[^\w-]*$|^[\w-]{43,}[^\w-]+$/;

/** A sealed ticket reveals its target only to that path. */
const SEALED = {
  rating: 'a ballot or of the rating of another message',
  ballot: 'a rating or of a ballot in another poll',
  message: 'a vote or ballot',
};

/** No ticket is longer. */
const MAX_LENGTH = 8192;

type Taken = 'message' | 'rating' | 'ballot';

/** Before it is hashed or opened. */
export function assertTicketSize(ticket: string, of: Taken): void {
  if (ticket.length > MAX_LENGTH) throw ticketInvalid(ticket, of);
}

/** @param of which tickets the endpoint takes */
export function ticketInvalid(ticket: string, of: Taken) {
  if (WRAPPED.test(ticket)) {
    return new BoardError(
      'ticket_invalid',
      'This ticket has quotes, spaces or other characters around it that the preview did not give; send the bare ticket.',
    );
  }
  const isMessage = MESSAGE_TICKET.test(ticket);
  const isOther = ticket.length >= 43 && !(isMessage && of === 'message');
  const other = isMessage ? 'a message' : SEALED[of];
  return new BoardError(
    'ticket_invalid',
    isOther
      ? `This ticket is not known here; it looks like one of ${other}. Send the filled publish.json_template of its preview, and nothing else, to the publish.url of that preview.`
      : 'This ticket is not known here. Copy it unchanged from the preview, send it to the publish URL of that preview, or preview again.',
  );
}
