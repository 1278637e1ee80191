import { withStandby } from './postgres-server.js';
import { startTcpGate } from './tcp-gate.js';

/** A PostgreSQL, its standby, and a gate on the way to the first. */
export async function replicated() {
  const { primary, standby, stop: end } = await withStandby();
  const gate = await startTcpGate(primary.url());
  const stop = async () => {
    await gate.stop();
    await end();
  };
  return { primary, standby, gate, stop };
}
