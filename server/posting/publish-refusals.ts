import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { CONFIRMATION } from './publish-request.js';

export function ticketExpired(ctx: Context, requestId: string): BoardError {
  return new BoardError(
    'ticket_expired',
    'This ticket is older than its lifetime and nothing was published with it. Look up the receipt, then preview the same content with the same request_id.',
    {
      suggested_action: {
        method: 'GET',
        url: `${ctx.config.baseUrl}/api/requests/${requestId}`,
        instruction: `If the receipt is missing, POST the same content with request_id ${requestId} to ${ctx.config.baseUrl}/write/preview and publish the new ticket.`,
      },
    },
  );
}

export function unconfirmed(): BoardError {
  return new BoardError(
    'confirmation_required',
    `Set confirm to "${CONFIRMATION}" to publish what the preview showed.`,
    { field: 'confirm' },
  );
}

export function networkChanged(): BoardError {
  return new BoardError(
    'network_changed',
    'A ticket with a vote can only be published from the network that previewed it; preview again from here with the same request_id.',
  );
}
