import type { Job } from '../../operations/index.js';
import { watchMessages } from '../watch-rules/watch-messages.js';
import { collect } from './collect.js';
import { forgetOld, type SendContext, sendDue, type Ways } from './send.js';

/** In a queue of their own: a receiver that hangs delays no other job. */
export function notificationJobs(ctx: SendContext, ways: Ways): Job[] {
  return [
    {
      name: 'watch_rules',
      line: '*/10 * * * * *',
      everyMs: 10_000,
      run: (signal) => watchMessages(ctx, signal),
    },
    {
      name: 'notifications',
      line: '5,15,25,35,45,55 * * * * *',
      everyMs: 10_000,
      run: async (signal) => {
        const found = await collect(ctx);
        const sent = await sendDue(ctx, ways, signal);
        await forgetOld(ctx);
        return { found, ...sent };
      },
    },
  ];
}
