import type { RequestHandler } from 'express';
import { logPath } from '../../protocol/board-name.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Context } from '../context.js';
import { firstAsked } from '../first-asked.js';
import { JSON_TYPE, sendBytes } from '../http/conditional.js';
import { DESCRIPTION_VERSION } from '../openapi/document.js';
import { RELEASE } from '../release.js';
import { CHALLENGE_EXAMPLE, CHALLENGE_GRAMMAR } from './challenge-form.js';
import { CHANGELOG, DEPRECATIONS } from './changelog.js';
import type { Protocol } from './contract.js';
import type { MachineDescription } from './machine-description.js';
import type { Rendered, RenderedDocuments } from './render.js';

const COMPATIBLE_WITH = '4.1.12' as const;

function hashes({ url, sha256, bytes }: Rendered) {
  return { url, sha256, bytes: bytes.length };
}

/** What is said of signatures: who verifies, and with which keys. */
function signatures({
  config,
  keys,
}: Pick<Context, 'config' | 'keys'>): Protocol['signatures'] {
  return {
    statuses: ['guest', 'signed'],
    algorithm: 'Ed25519',
    rule: 'A signature is valid if and only if libsodium crypto_sign_verify_detached accepts it; keys of small or mixed order are refused.',
    note_format: 'c2sp.org/signed-note',
    log: {
      origin: keys.log.vkey.name,
      vkey: formatVkey(keys.log.vkey),
      checkpoint_url: `${config.baseUrl}${logPath(keys.log.vkey.name)}/checkpoint`,
    },
  };
}

/** The body of /api/protocol (spec/board.md §2.14). */
export function protocolBody(
  ctx: Pick<Context, 'config' | 'limits' | 'keys'>,
  documents: RenderedDocuments,
  machine: MachineDescription,
): Protocol {
  return {
    release: RELEASE,
    compatible_with: COMPATIBLE_WITH,
    machine_description: {
      version: DESCRIPTION_VERSION,
      url: machine.url,
      sha256: machine.sha256,
    },
    protocol: hashes(documents['protocol.md']),
    guide: hashes(documents['skill.md']),
    documents: Object.values(documents).map((document) => ({
      name: document.name,
      ...hashes(document),
    })),
    challenge: { grammar: CHALLENGE_GRAMMAR, example: CHALLENGE_EXAMPLE },
    limits: ctx.limits,
    signatures: signatures(ctx),
    changelog: CHANGELOG,
    deprecations: DEPRECATIONS,
  };
}

/** GET /api/protocol: nothing in it changes while the process runs. */
export function protocolDocument(
  ctx: Context,
  documents: RenderedDocuments,
  machine: () => MachineDescription,
): RequestHandler {
  const body = firstAsked(() => {
    const text = JSON.stringify(protocolBody(ctx, documents, machine()));
    return Buffer.from(text, 'utf8');
  });
  return (req, res) => {
    sendBytes(req, res, body(), { cache: 'revalidate', type: JSON_TYPE });
  };
}
