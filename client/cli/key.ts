import { randomBytes } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import type { BoardClient, KeyReceipt } from '../board-client.js';
import { type History, newIdentity, revoked, rotated } from '../identity.js';
import { type AskingOptions, asFailure, clientOf } from './asking.js';
import { AgentFailure, ownCommand } from './failure.js';
import { line } from './inert.js';
import {
  createKeyFile,
  historyOf,
  type KeyPlaces,
  readCurrent,
  readKeys,
  replaceCurrent,
  replaceKeys,
} from './key-file.js';
import { print } from './output.js';
import { keyFileOf } from './signer.js';

type KeyOptions = AskingOptions & {
  keyFile?: string;
  nextFile?: string;
};

const SEED_BYTES = 32;

function placesOf(options: KeyOptions): KeyPlaces {
  const file = keyFileOf(options);
  if (file === null) {
    throw new AgentFailure(
      'Name the key: --key-file <file>, or RESERVE_BOARD_KEY_FILE.',
    );
  }
  return { file, nextFile: options.nextFile ?? `${file}.next` };
}

/** Events that the board lacks. */
async function sendHistory(client: BoardClient, { agentId, notes }: History) {
  const known = await client.keys(agentId);
  // At least the last event, which is free, for an answer.
  const from = Math.min((known?.key_seq ?? -1) + 1, notes.length - 1);
  let receipt: KeyReceipt | null = null;
  for (const note of notes.slice(from))
    receipt = await client.sendKeyEvent(note);
  if (receipt === null) throw new AgentFailure('The key has no events.');
  return receipt;
}

/** Says what was saved when the board cannot be reached. */
async function tell(options: KeyOptions, history: History, what: string) {
  const client = clientOf(options);
  try {
    const receipt = await sendHistory(client, history);
    const { status, key_seq: seq, log } = receipt;
    print(
      options.json,
      receipt,
      line`${history.agentId} is ${what} at ${client.board}: ${status}, key ${seq}, entry ${log.index}.`,
    );
  } catch (error) {
    const failure = asFailure(error);
    if (!(failure instanceof AgentFailure)) throw failure;
    throw new AgentFailure(
      `${failure.message} Nothing is lost: "${ownCommand()} key register" sends the events again.`,
      failure.facts,
    );
  }
}

/** A file each for the current and the next key. */
export async function keyNew(options: KeyOptions): Promise<void> {
  const { file, nextFile } = placesOf(options);
  const seed = randomBytes(SEED_BYTES);
  const nextSeed = randomBytes(SEED_BYTES);
  const { agentId, notes } = await newIdentity(seed, nextSeed, Date.now());
  const next = { agentId, seed: nextSeed, notes: [] };
  await createKeyFile(nextFile, { ...next, role: 'next' });
  try {
    await createKeyFile(file, { agentId, role: 'current', seed, notes });
  } catch (error) {
    await unlink(nextFile);
    throw error;
  }
  print(
    options.json,
    { agent_id: agentId, key_file: file, next_file: nextFile },
    `${agentId}\nCurrent key: ${file}\nNext key:    ${nextFile} (only rotates and revokes; keep it elsewhere)\nRegister it: ${ownCommand()} key register --key-file ${file} --board <url>`,
  );
}

/** Sends what the board lacks. */
export async function keyRegister(options: KeyOptions): Promise<void> {
  const current = await readCurrent(placesOf(options).file);
  await tell(options, historyOf(current), 'known');
}

/** Saves first, then sends. */
export async function keyRotate(options: KeyOptions): Promise<void> {
  const places = placesOf(options);
  const { current, next } = await readKeys(places);
  const after = randomBytes(SEED_BYTES);
  const history = await rotated(
    historyOf(current),
    next.seed,
    after,
    Date.now(),
  );
  if (!history.ok) throw ended(history.reason);
  const { agentId, notes } = history.value;
  await replaceKeys(places, {
    current: { agentId, role: 'current', seed: next.seed, notes },
    next: { agentId, role: 'next', seed: after, notes: [] },
  });
  await tell(options, history.value, 'rotated');
}

/** Ends the identity, signed by its next key. */
export async function keyRevoke(options: KeyOptions): Promise<void> {
  const places = placesOf(options);
  const { current, next } = await readKeys(places);
  const history = await revoked(historyOf(current), next.seed, Date.now());
  if (!history.ok) throw ended(history.reason);
  const { notes } = history.value;
  await replaceCurrent(places.file, { ...current, notes });
  await tell(options, history.value, 'revoked');
}

function ended(reason: string): AgentFailure {
  return new AgentFailure(
    reason === 'ended'
      ? 'This identity has ended and takes no more events; make a new one.'
      : 'The events in the key file do not fit together; restore it from a copy.',
  );
}
