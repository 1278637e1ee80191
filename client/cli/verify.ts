import { readFile, stat } from 'node:fs/promises';
import { bundleLine } from '../verify/bundle/bundle-line.js';
import { verifyBundle } from '../verify/bundle/verify-bundle.js';
import {
  inclusionLine,
  isTlogProof,
  proofLine,
  refusalLine,
  verifyTlogProofText,
} from '../verify/verify.js';
import { AgentFailure } from './failure.js';
import { inertLine } from './inert.js';
import { messageAt } from './message-url.js';
import { print } from './output.js';
import { type PinOptions, pinsOf } from './pin-options.js';
import { Progress } from './progress.js';
import { checkedProof, fetchProof, provenJson } from './proof.js';

export type VerifyOptions = PinOptions & {
  json?: boolean;
  leaf?: string;
  threads?: string;
};

async function bytesOf(file: string): Promise<Uint8Array> {
  return await readFile(file).catch(() => {
    throw new AgentFailure(`${inertLine(file)} cannot be read.`);
  });
}

async function verifyProof(
  bytes: Uint8Array,
  options: VerifyOptions,
): Promise<void> {
  const proven = await checkedProof(bytes, options);
  const verdict = proofLine(proven);
  print(options.json === true, { ...provenJson(proven), verdict }, verdict);
}

async function verifyInclusion(
  bytes: Uint8Array,
  options: VerifyOptions,
): Promise<void> {
  const { leaf, json = false } = options;
  if (leaf === undefined) {
    throw new AgentFailure(
      'A tlog-proof is about an entry it does not hold: name its bytes with --leaf <file>.',
    );
  }
  const pins = await pinsOf(options);
  const verdict = await verifyTlogProofText(bytes, await bytesOf(leaf), pins);
  if (!verdict.ok) {
    const facts = { error: 'not_proven', step: verdict.reason };
    throw new AgentFailure(refusalLine(verdict.reason), facts);
  }
  const line = inclusionLine(verdict.value);
  print(json, { ...verdict.value, verdict: line }, line);
}

async function verifyFolder(
  folder: string,
  options: VerifyOptions,
): Promise<void> {
  const { json = false } = options;
  const progress = new Progress('verifying', json);
  const verdict = await verifyBundle(folder, {
    pins: await pinsOf(options),
    onProgress: (done, size) => progress.at(done, size, ' entries'),
  });
  progress.end();
  const line = bundleLine(verdict);
  const { bundle, faults } = verdict;
  if (bundle === null || faults.count > 0) {
    const { count, first } = faults;
    const facts = { error: 'not_whole', step: first[0]?.step, count, first };
    throw new AgentFailure(line, facts);
  }
  print(json, { ...bundle, verdict: line }, line);
}

/**
 * `reserve-board verify <proof file|bundle|url>`: one line that says what is
 * proven and what is not. Only a URL needs the network, to fetch the proof.
 */
export async function verify(
  target: string,
  options: VerifyOptions,
): Promise<void> {
  if (/^https?:\/\//.test(target)) {
    const { board, id } = messageAt(target);
    await verifyProof(await fetchProof(board, id), options);
    return;
  }
  const found = await stat(target).catch(() => null);
  if (found?.isDirectory()) {
    await verifyFolder(target, options);
    return;
  }
  const bytes = await bytesOf(target);
  if (isTlogProof(bytes)) await verifyInclusion(bytes, options);
  else await verifyProof(bytes, options);
}
