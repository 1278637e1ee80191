import { PostgresServer } from './postgres-server.js';
import { startTcpGate } from './tcp-gate.js';

/** A PostgreSQL, its standby, and a gate on the way to the first. */
export async function replicated() {
  const primary = await PostgresServer.create();
  const standby = await primary.standby();
  const gate = await startTcpGate(primary.url());
  const stop = async () => {
    await gate.stop();
    await standby.remove();
    await primary.remove();
  };
  return { primary, standby, gate, stop };
}
