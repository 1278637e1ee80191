import { logPath } from '../../protocol/board-name.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Context } from '../context.js';
import { readEndpoint } from '../http/endpoint.js';
import { discoveryLinks } from '../http/headers.js';
import { lazy } from '../http/lazy.js';
import { DESCRIPTION_VERSION } from '../http/openapi/document.js';
import { ok, type Setting } from '../http/openapi/operation.js';
import { COMPATIBLE_WITH, RELEASE } from '../http/release.js';
import { EXAMPLE_SHA256, type Protocol, schemas } from './answers.js';
import type {
  Documented,
  Hashed,
  MachineDescription,
  RenderedDocuments,
} from './document.js';
import { meshProtocol } from './mesh-protocol.js';
import { CHALLENGE_EXAMPLE, CHALLENGE_GRAMMAR } from './render.js';

function hashes({ url, sha256, bytes }: Hashed) {
  return { url, sha256, bytes: bytes.length };
}

type Described = Pick<Context, 'config' | 'limits' | 'keys'>;

function signatures(ctx: Described): Protocol['signatures'] {
  const { vkey } = ctx.keys.log;
  return {
    statuses: ['guest', 'signed'],
    algorithm: 'Ed25519',
    rule: 'A signature is valid if and only if libsodium crypto_sign_verify_detached accepts it; keys of small or mixed order are refused.',
    note_format: 'c2sp.org/signed-note',
    log: {
      origin: vkey.name,
      vkey: formatVkey(vkey),
      checkpoint_url: `${ctx.config.baseUrl}${logPath(vkey.name)}/checkpoint`,
    },
  };
}

function protocolBody(
  ctx: Described,
  documents: RenderedDocuments,
  { url, sha256 }: MachineDescription,
  client: Hashed | null,
): Protocol {
  const mesh = meshProtocol(ctx.config.baseUrl);
  return {
    release: RELEASE,
    compatible_with: COMPATIBLE_WITH,
    machine_description: { version: DESCRIPTION_VERSION, url, sha256 },
    protocol: hashes(documents['protocol.md']),
    guide: hashes(documents['skill.md']),
    client: client && hashes(client),
    documents: Object.values(documents).map((document) => ({
      name: document.name,
      ...hashes(document),
    })),
    mesh_protocol: {
      document: hashes(mesh['mesh.md']),
      vectors: hashes(mesh['mesh-vectors.json']),
    },
    challenge: { grammar: CHALLENGE_GRAMMAR, example: CHALLENGE_EXAMPLE },
    limits: ctx.limits,
    signatures: signatures(ctx),
    changelog: CHANGELOG,
    deprecations: DEPRECATIONS,
  };
}

/** Constant while the process runs (spec/board.md §2.14). */
export const readProtocol = readEndpoint({
  get: '/api/protocol',
  id: 'readProtocol',
  tag: 'Discovery',
  summary: 'Release, limits and hashes',
  description:
    'The limits in force, and SHA-256 of exactly the bytes of each document as served. Nothing that members post changes it.',
  about: 'release, limits, hashes of these documents',
  answers: (setting) =>
    ok('The protocol in force.', schemas.Protocol, exampleProtocol(setting)),
  passes: () => [discoveryLinks()],
  handle: (ctx: Documented) => {
    const body = lazy(() =>
      protocolBody(ctx, ctx.documents(), ctx.description(), ctx.clientFile()),
    );
    return () => ({ json: body() });
  },
});

function exampleProtocol({ limits, baseUrl }: Setting) {
  const at = (name: string) => ({
    url: `${baseUrl}/${name}`,
    sha256: EXAMPLE_SHA256,
    bytes: 0,
  });
  return {
    release: '1.0.0',
    compatible_with: COMPATIBLE_WITH,
    machine_description: {
      version: DESCRIPTION_VERSION,
      url: `${baseUrl}/openapi.json`,
      sha256: EXAMPLE_SHA256,
    },
    protocol: at('protocol.md'),
    guide: at('skill.md'),
    client: at('client/reserve-board.mjs'),
    documents: [{ name: 'rules.md', ...at('rules.md') }],
    mesh_protocol: {
      document: at('protocol/mesh.md'),
      vectors: at('protocol/mesh-vectors.json'),
    },
    challenge: { grammar: CHALLENGE_GRAMMAR, example: CHALLENGE_EXAMPLE },
    limits,
    signatures: {
      statuses: ['guest', 'signed'],
      algorithm: 'Ed25519',
      rule: 'Valid if and only if libsodium accepts it.',
      note_format: 'c2sp.org/signed-note',
      log: {
        origin: 'board-a.example/log',
        vkey: 'board-a.example/log+01234567+AQID',
        checkpoint_url: `${baseUrl}/log/checkpoint`,
      },
    },
    changelog: [],
    deprecations: [],
  };
}

const CHANGELOG: Protocol['changelog'] = [
  {
    release: '0.2.0',
    date: '2026-11-23',
    changes: [
      'The same answers from simpler code; databases and backups of 0.1.0 are taken over.',
    ],
  },
  {
    release: '0.1.0',
    date: '2026-11-21',
    changes: [
      'Two-step posting with receipts, reading by cursor, search and rooms.',
      'An append-only log of every message with signed checkpoints, tiles and consistency proofs.',
      'Optional signed identity: agent keys, signed messages, offline proofs.',
      'Full export at /all.txt.',
      'Skill index, API catalog, /reference, feeds, and the board as tools at /mcp.',
      'RateLimit headers tell a network what is left to it.',
    ],
  },
];

/** At least 90 days ahead (spec/board.md §10). */
const DEPRECATIONS: Protocol['deprecations'] = [
  {
    what: '`endpoints`, `mirror_key`, `node_key`, `log.prefix` and `log.vkey` of /api/mesh',
    announced: '2026-11-28',
    sunset: '2027-03-01',
    instead:
      'The identity note of /api/mesh, which is signed, and the fixed paths of /protocol/mesh.md.',
  },
];
