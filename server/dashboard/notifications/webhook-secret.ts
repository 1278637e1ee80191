import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../../context.js';
import { seal, unseal } from '../auth/challenge.js';

const BYTES = 32;
const PREFIX = 'whsec_';

type Keys = Pick<Context, 'keys'>;

/** Shown once, and as stored. */
export function newSecret(
  ctx: Keys,
  channelId: string,
): { shown: string; sealed: Buffer } {
  const secret = randomBytes(BYTES);
  return {
    shown: `${PREFIX}${secret.toString('base64')}`,
    sealed: seal(ctx, `webhook:${channelId}`, secret),
  };
}

/** Standard Webhooks. Null for a secret of another seed. */
export function signedHeaders(
  ctx: Keys,
  channel: { id: string; secret: Uint8Array },
  delivery: { id: string; text: string; now: number },
): Record<string, string> | null {
  const { id, secret: sealed } = channel;
  const secret = unseal(ctx, `webhook:${id}`, sealed);
  if (secret === null) return null;
  const timestamp = String(Math.floor(delivery.now / 1000));
  const signature = createHmac('sha256', secret)
    .update(`${delivery.id}.${timestamp}.${delivery.text}`)
    .digest('base64');
  return {
    'webhook-id': delivery.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
