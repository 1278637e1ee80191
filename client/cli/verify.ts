import { readFile, stat } from 'node:fs/promises';
import { parseUrl } from '../../protocol/parse-url.js';
import { bundleLine } from '../verify/bundle/bundle-line.js';
import { verifyBundle } from '../verify/bundle/verify-bundle.js';
import { isTlogProof } from '../verify/tlog-proof-text.js';
import { assertApply } from './applying.js';
import { AgentFailure } from './failure.js';
import { inertLine } from './inert.js';
import { print } from './output.js';
import { type PinOptions, pinsOf } from './pin-options.js';
import { Progress } from './progress.js';
import { checkProof, fetchProof } from './proof.js';

type VerifyOptions = PinOptions & { json?: boolean; leaf?: string };

const LEAF = { leaf: 'a tlog-proof' };
/** Byte order mark. */
const MARK = Buffer.from('\ufeff');

async function bytesOf(file: string): Promise<Uint8Array> {
  return await readFile(file).catch(() => {
    throw new AgentFailure(`${inertLine(file)} cannot be read.`);
  });
}

async function verifyBytes(
  bytes: Uint8Array,
  options: VerifyOptions,
  leaf: Uint8Array | null = null,
) {
  const { line, facts } = await checkProof(bytes, options, leaf);
  print(options.json, { ...facts, verdict: line }, line);
}

async function verifyFolder(folder: string, options: VerifyOptions) {
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

/** `/api/messages/7`, its `/proof`, `/t/5?message=7` or `/t/5`. */
function messageAt(address: string): { board: string; id: number } {
  const url = parseUrl(address);
  const form = /^\/(?:api\/messages\/(\d+)(?:\/proof)?|t\/(\d+))$/;
  const [, inApi, root] = form.exec(url?.pathname ?? '') ?? [];
  const id = inApi ?? (root && (url?.searchParams.get('message') ?? root));
  if (url !== null && id && /^[1-9]\d{0,14}$/.test(id)) {
    return { board: url.origin, id: Number(id) };
  }
  throw new AgentFailure(
    'This is no address of a message: give its url, its read_url, or that of its proof.',
  );
}

/** `verify <proof file|bundle|url>`: only a URL needs the network. */
export async function verify(
  target: string,
  options: VerifyOptions,
): Promise<void> {
  if (/^https?:\/\//.test(target)) {
    assertApply(options, LEAF, 'an address', []);
    const { board, id } = messageAt(target);
    await verifyBytes(await fetchProof(board, id), options);
    return;
  }
  const found = await stat(target).catch(() => null);
  if (found?.isDirectory()) {
    assertApply(options, LEAF, 'a bundle', []);
    await verifyFolder(target, options);
    return;
  }
  const file = await bytesOf(target);
  const bytes = MARK.equals(file.subarray(0, 3)) ? file.subarray(3) : file;
  const { leaf } = options;
  if (!isTlogProof(bytes)) {
    assertApply(options, LEAF, 'a proof that holds its entry', []);
  }
  await verifyBytes(bytes, options, leaf ? await bytesOf(leaf) : null);
}
