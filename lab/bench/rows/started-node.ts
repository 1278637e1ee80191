import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BEHIND_PROXY, liftedLimits } from '../set-up/settings.js';

const COMPILED = import.meta.url.endsWith('.js');
/** What `npm start` runs, where it was built. */
const MAIN = fileURLToPath(
  new URL(
    COMPILED ? '../../../node/main.js' : '../../../server/main.ts',
    import.meta.url,
  ),
);

/** A node with a database of its own, as an operator starts it. */
export type StartedNode = {
  pid: number;
  port: number;
  /** From the command to the first good answer of /readyz. */
  seconds: number;
  stop(): Promise<void>;
};

export async function startNode(
  dataDir: string,
  fastPaths: 'on' | 'off',
): Promise<StartedNode> {
  const begun = performance.now();
  const args = COMPILED ? [] : ['--import', '@oxc-node/core/register'];
  const node = spawn(process.execPath, [...args, MAIN, 'start', '--json'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      BOARD_LIMITS: liftedLimits(),
      FAST_PATHS: fastPaths,
      ...BEHIND_PROXY,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(node, 'exit').then(([code]) => {
    throw new Error(`the node ended: ${code}`);
  });
  ended.catch(() => {}); // it counts until the node is ready
  try {
    const lines = createInterface({ input: node.stdout });
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [
      string,
    ];
    const { port } = JSON.parse(line) as { port: number };
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    if (ready.status !== 200) throw new Error(`/readyz: ${ready.status}`);
    await ready.arrayBuffer();
    const seconds = (performance.now() - begun) / 1000;
    return { pid: node.pid ?? 0, port, seconds, stop: () => stop(node) };
  } catch (error) {
    await stop(node);
    throw error;
  }
}

async function stop(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const ended = once(node, 'exit');
  node.kill('SIGTERM');
  await ended;
}
