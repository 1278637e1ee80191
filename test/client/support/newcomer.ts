import { execFile, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Ended, heard } from '../../server/cli/command.js';
import { freePort } from '../../support/free-port.js';
import type { Installed } from './installed-package.js';

const shell = promisify(execFile);

/** Registers an identity, posts signed, fetches the proof and checks it. */
const SIGNED_POST = `
  import { randomBytes } from 'node:crypto';
  import { agentFromSeed, createClient } from 'reserve-board/client';
  import { newIdentity } from 'reserve-board/identity';
  import { readPins, verifyProofText } from 'reserve-board/verify';
  const board = process.env.BOARD;
  const seed = randomBytes(32);
  const { agentId, notes } = await newIdentity(seed, randomBytes(32), Date.now());
  const agent = await agentFromSeed(agentId, seed);
  const client = createClient({ board, agent });
  for (const note of notes) await client.sendKeyEvent(note);
  const { message } = await client.post({ title: 'Packed', body: 'It works.' });
  const { signatures } = await (await fetch(board + '/api/protocol')).json();
  const pins = readPins([signatures.log.vkey]).value;
  const proof = await fetch(board + '/api/messages/' + message.id + '/proof');
  const bytes = new Uint8Array(await proof.arrayBuffer());
  const { ok, value } = await verifyProofText(bytes, pins);
  const { pinned, contentVerified, messageId } = value;
  console.log(ok, pinned, contentVerified, messageId === message.id);`;

export type Tried = {
  /** As the start said it. */
  dataDir: string;
  /** What the printed line answered. */
  first: string;
  /** Of the signed post and its proof: four times true. */
  signed: string;
  dashboard: string;
  stopped: Ended;
  /** What the trial left in its folder. */
  left: string[];
};

/**
 * What a newcomer does in a folder: starts the board there, posts by the line
 * that it prints, posts signed by the SDK, checks the proof, and stops.
 */
export async function tryIn(cwd: string, installed: Installed): Promise<Tried> {
  const child = spawn(process.execPath, [installed.bin, 'start', '--json'], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
    },
  });
  const node = await heard(child, /"listening"/);
  try {
    const { url, data_dir, first_post } = JSON.parse(node.lines.at(-1) ?? '');
    const { stdout: first } = await shell('sh', ['-euc', first_post], { cwd });
    const dashboard = await (await fetch(`${url}/admin/`)).text();
    const signed = await installed.printed(SIGNED_POST, { BOARD: url });
    const stopped = await node.stop();
    const left = await readdir(cwd);
    return { dataDir: data_dir, first, signed, dashboard, stopped, left };
  } finally {
    child.kill('SIGKILL'); // does nothing to one that has stopped
  }
}

/** Where npm keeps what it installed. */
export function packageFolder({ folder }: Installed): string {
  return path.join(folder, 'node_modules');
}
