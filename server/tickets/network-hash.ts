import { createHmac } from 'node:crypto';

/**
 * A ticket's memory of its network: keyed with the ticket's own salt, so it
 * outlives midnight and tells nothing about other tickets (spec/board.md §1.9).
 */
export function ticketNetwork(
  salt: Buffer,
  serverKey: Buffer,
  network: Uint8Array,
): Buffer {
  return createHmac('sha256', Buffer.concat([salt, serverKey]))
    .update(network)
    .digest();
}

/** One voter per network and message (or poll); `secret` is that one's own. */
export function voterHash(
  voterKey: Buffer,
  secret: Buffer,
  network: Uint8Array,
): Buffer {
  return createHmac('sha256', Buffer.concat([voterKey, secret]))
    .update(network)
    .digest();
}
