/** A process that holds nothing but the outbound client: its memory is the client's. */
import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';

export type Asked = { get: string } | { held: true };
/** How long the body was or why there is none; bytes. */
export type Told = { told: number | string } | { held: number };

const client = new PeerClient({ allowHttp: true, allowPrivate: true });

async function answer(asked: Asked): Promise<Told> {
  // What earlier answers left is no part of what the next one takes.
  globalThis.gc?.();
  if ('held' in asked) {
    // Not what malloc keeps for the next time, which differs by its version.
    const { heapUsed, external } = process.memoryUsage();
    return { held: heapUsed + external };
  }
  const got = await client.get(asked.get, '/log/feed');
  return { told: got.ok ? got.value.body.length : got.reason };
}

process.on('message', (asked: Asked) => {
  void answer(asked).then((told) => process.send?.(told));
});
