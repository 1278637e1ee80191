import type { Context } from '../context.js';
import { createInvite, setupLink } from './auth/invite.js';

/**
 * A set-up link for the first operator, or null when there is one already
 * (spec/operators.md §1.1): nothing is open by default, and no passphrase comes
 * with the board. `port` is the one it listens on.
 */
export async function firstOperatorLink(
  ctx: Pick<Context, 'writes' | 'clock' | 'config'>,
  port: number,
): Promise<string | null> {
  const code = await ctx.writes.transaction(async (tx) => {
    const [someone] = await tx.query('SELECT 1 FROM operator LIMIT 1');
    if (someone !== undefined) return null;
    return await createInvite(tx, null, 'admin', ctx.clock.now());
  });
  return code === null ? null : setupLink(ctx, code, port);
}
