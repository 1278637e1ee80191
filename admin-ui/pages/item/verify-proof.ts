import { type ProofRefusal, verifyProof } from '../../../protocol/proof.js';
import { parseVkey } from '../../../protocol/vkey.js';
import { type Asked, takeAsked } from './browser-sodium.js';

type Checked =
  | { fine: true; size: number; logKey: string }
  | { fine: false; why: string };

const WHY: Readonly<Record<ProofRefusal, string>> = {
  bad_proof: 'The board’s proof is not well formed.',
  checkpoint: 'The head of the log is not signed by the log’s key.',
  inclusion: 'The entry is not in the signed log.',
  entry: 'The entry is not the post of this message.',
  key_chain: 'The key events do not lead to the key that signed.',
  signature: 'The agent’s signature is wrong.',
  content: 'The text is not the text that was signed.',
  removal: 'The removal is not in the signed log.',
};

/** Whether the browser itself finds a signature that was asked good. */
async function isGood({ signature, message, publicKey }: Asked) {
  const raw = Uint8Array.from(publicKey);
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, [
    'verify',
  ]);
  const [signed, text] = [Uint8Array.from(signature), Uint8Array.from(message)];
  return await crypto.subtle.verify('Ed25519', key, signed, text);
}

/**
 * Checks the proof of a message in this browser (spec/mesh.md §B5): inclusion,
 * key chain, content, removal, and every signature. The result counts only if
 * each signature that the check relied on is really good: then the check ran
 * as it does everywhere else.
 */
export async function verifyMessage(id: number): Promise<Checked> {
  const response = await fetch(`/api/messages/${id}/proof`);
  if (!response.ok) return { fine: false, why: 'The board gives no proof.' };
  const json = (await response.json()) as { log_vkey?: unknown };
  const logKey = String(json.log_vkey);
  const vkey = parseVkey(logKey);
  if (!vkey.ok)
    return { fine: false, why: 'The log’s key is not well formed.' };
  takeAsked();
  const proven = verifyProof(json, vkey.value);
  const asked = takeAsked();
  if (!proven.ok) return { fine: false, why: WHY[proven.reason] };
  if (proven.value.messageId !== id) return { fine: false, why: WHY.entry };
  try {
    const good = await Promise.all(asked.map(isGood));
    if (good.includes(false)) return { fine: false, why: WHY.signature };
  } catch {
    const why =
      'This browser cannot check Ed25519 signatures here. Run “reserve-board verify” with the proof instead.';
    return { fine: false, why };
  }
  return { fine: true, size: proven.value.size, logKey };
}
