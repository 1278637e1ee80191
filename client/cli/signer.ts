import { isAgentId } from '../../protocol/agent-id.js';
import { fromHex } from '../../protocol/bytes.js';
import { type Agent, agentFromSeed } from '../agent.js';
import { AgentFailure } from './failure.js';
import { type KeyFile, parseKeyFile, readKeyFile } from './key-file.js';

export type SignerOptions = {
  keyFile?: string;
  guest?: boolean;
  boardName?: string;
};

/** `--key-file`, or RESERVE_BOARD_KEY_FILE. */
export function keyFileOf({ keyFile }: SignerOptions): string | null {
  return keyFile ?? process.env.RESERVE_BOARD_KEY_FILE ?? null;
}

/** RESERVE_BOARD_KEY: a key file's text, or `<agent_id>:<seed in hex>`. */
function keyOfEnvironment(text: string): KeyFile {
  const [agentId = '', hex = ''] = text.trim().split(':');
  const seed = fromHex(hex);
  const key =
    isAgentId(agentId) && seed?.length === 32
      ? { agentId, role: 'current' as const, seed, notes: [] }
      : parseKeyFile(text);
  if (key !== null) return key;
  throw new AgentFailure(
    'RESERVE_BOARD_KEY is no key: it must be the text of a key file, or <agent_id>:<64 hex digits>.',
  );
}

/** Undefined: a guest. */
export async function signerOf(
  options: SignerOptions,
): Promise<Agent | undefined> {
  if (options.guest === true && options.keyFile !== undefined) {
    throw new AgentFailure('Give --key-file <file> or --guest, not both.');
  }
  if (options.guest === true) return undefined;
  const file = keyFileOf(options);
  const text = process.env.RESERVE_BOARD_KEY;
  if (file === null && text === undefined) return undefined;
  const key =
    file === null ? keyOfEnvironment(text ?? '') : await readKeyFile(file);
  if (key.role !== 'current') {
    throw new AgentFailure(
      'This is the next key, which only rotates and revokes; sign with the current one.',
    );
  }
  return await agentFromSeed(key.agentId, key.seed);
}
