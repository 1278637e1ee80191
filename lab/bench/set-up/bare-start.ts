import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { accountFor } from '../../../server/db/embedded/account.js';
import { binariesFor } from '../../../server/db/embedded/binaries.js';
import { makePrivate } from '../../../server/db/embedded/folders.js';
import { temporaryFolder } from '../../../server/db/embedded/reach.js';
import { run } from '../../../server/db/embedded/run.js';

/** Seconds. */
export type BareStart = {
  /** initdb, the server's first start, and a Node that does nothing. */
  cold: number;
  /** The server's next start, and that Node. */
  warm: number;
};

/** What the start of a node cannot cost less than, with no setting at all. */
export async function bareStart(): Promise<BareStart> {
  const folder = await mkdtemp(path.join(temporaryFolder(), 'reserve-bare-'));
  const clusterDir = path.join(folder, 'pg');
  const as = accountFor(clusterDir);
  if (as !== null) await chown(folder, as.uid, as.gid);
  const { initdb, pgCtl } = await binariesFor(as, folder);
  const program = async (command: string, ...args: string[]) => {
    const { code, output } = await run(command, args, { as, clusterDir });
    if (code !== 0) throw new Error(`${command}: ${output}`);
  };
  const place = `-c listen_addresses='' -c unix_socket_directories=${folder}`;
  const log = path.join(folder, 'log');
  const start = () => program(pgCtl, 'start', '-w', '-o', place, '-l', log);
  const stop = () => program(pgCtl, 'stop', '-w', '-m', 'fast');
  try {
    await makePrivate(clusterDir, as);
    const making = await secondsOf(async () => {
      await program(initdb, '--auth=trust');
      await start();
    });
    await stop();
    const starting = await secondsOf(start);
    await stop();
    const node = await secondsOf(emptyNode);
    return { cold: making + node, warm: starting + node };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

async function emptyNode(): Promise<void> {
  const [code] = await once(spawn(process.execPath, ['-e', '0']), 'exit');
  if (code !== 0) throw new Error(`node ended: ${code}`);
}
