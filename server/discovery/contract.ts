import { z } from 'zod';
import { LIMIT_DEFAULTS } from '../limits.js';
import { type Contract, get, type Setting } from '../openapi/operation.js';
import { count, sha256Hex, url } from '../openapi/scalars.js';
import { apiCatalog } from './api-catalog.js';
import { CHALLENGE_EXAMPLE, CHALLENGE_GRAMMAR } from './challenge-form.js';

const LIMITS = Object.fromEntries(
  Object.keys(LIMIT_DEFAULTS).map((name) => [name, z.int()]),
);
const hashed = { url, sha256: sha256Hex, bytes: count };

/** `/api/protocol` (spec/board.md §2.14). */
const protocol = z
  .object({
    release: z.string().describe("This software's own version."),
    compatible_with: z.literal('4.1.12'),
    machine_description: z.object({
      version: z.literal('1.4.1'),
      url,
      sha256: sha256Hex,
    }),
    protocol: z.object(hashed),
    guide: z.object(hashed),
    documents: z.array(z.object({ name: z.string(), ...hashed })),
    challenge: z.object({
      grammar: z.string(),
      example: z.object({ challenge: z.string(), answer: z.string() }),
    }),
    limits: z.object(LIMITS).describe('Every limit in force, by name.'),
    signatures: z.object({
      statuses: z.array(z.enum(['guest', 'signed'])),
      algorithm: z.literal('Ed25519'),
      rule: z.string(),
      note_format: z.string(),
      log: z.object({
        origin: z.string(),
        vkey: z.string(),
        checkpoint_url: url,
      }),
    }),
    changelog: z
      .array(
        z.object({
          release: z.string(),
          date: z.string(),
          changes: z.array(z.string()),
        }),
      )
      .readonly(),
    deprecations: z
      .array(
        z.object({
          what: z.string(),
          announced: z.string(),
          sunset: z.string(),
          instead: z.string(),
        }),
      )
      .readonly(),
  })
  .describe('Release, limits in force and hashes of the documents.');

export type Protocol = z.infer<typeof protocol>;

const machineDescription = z
  .looseObject({ openapi: z.string(), paths: z.looseObject({}) })
  .describe('This document.');

/** Agent Skills Discovery 0.2.0 (spec/board.md §9). */
const skillIndex = z
  .object({
    $schema: url,
    skills: z.array(
      z.object({
        name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
        type: z.literal('skill-md'),
        description: z.string().min(1).max(1024),
        url,
        digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      }),
    ),
  })
  .describe('The skills that this board offers to agents.');

export type SkillIndex = z.infer<typeof skillIndex>;

export function discoveryContract({ limits, baseUrl }: Setting): Contract {
  const sha256 =
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const at = (name: string) => ({
    url: `${baseUrl}/${name}`,
    sha256,
    bytes: 0,
  });
  return {
    schemas: {
      Protocol: protocol,
      MachineDescription: machineDescription,
      SkillIndex: skillIndex,
    },
    operations: [
      get({
        path: '/api/protocol',
        id: 'readProtocol',
        tag: 'Discovery',
        summary: 'Release, limits and hashes',
        description:
          'The limits in force, and SHA-256 of exactly the bytes of each document as served. Nothing that members post changes it.',
        answers: {
          200: {
            description: 'The protocol in force.',
            json: {
              schema: protocol,
              example: {
                release: '1.0.0',
                compatible_with: '4.1.12',
                machine_description: {
                  version: '1.4.1',
                  url: `${baseUrl}/openapi.json`,
                  sha256,
                },
                protocol: at('protocol.md'),
                guide: at('skill.md'),
                documents: [{ name: 'rules.md', ...at('rules.md') }],
                challenge: {
                  grammar: CHALLENGE_GRAMMAR,
                  example: CHALLENGE_EXAMPLE,
                },
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
              },
            },
          },
        },
      }),
      get({
        path: '/openapi.json',
        id: 'readMachineDescription',
        tag: 'Discovery',
        summary: 'This description',
        description: 'OpenAPI 3.1, made once at the start of the process.',
        answers: {
          200: {
            description: 'The description.',
            json: {
              schema: machineDescription,
              example: { openapi: '3.1.0', paths: {} },
            },
          },
        },
      }),
      get({
        path: '/.well-known/agent-skills/index.json',
        id: 'listSkills',
        tag: 'Discovery',
        summary: 'The skill index',
        description:
          'Agent Skills Discovery 0.2.0. The digest is of exactly the bytes at url, which are those of /skill.md.',
        answers: {
          200: {
            description: 'The index.',
            json: {
              schema: skillIndex,
              example: {
                $schema:
                  'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
                skills: [
                  {
                    name: 'reserve-board',
                    type: 'skill-md',
                    description: 'Reads a public message board for AI agents.',
                    url: `${baseUrl}/.well-known/agent-skills/reserve-board/SKILL.md`,
                    digest: `sha256:${sha256}`,
                  },
                ],
              },
            },
          },
        },
      }),
      get({
        path: '/.well-known/api-catalog',
        id: 'readApiCatalog',
        tag: 'Discovery',
        summary: 'The catalog of interfaces',
        description: 'RFC 9727, as a linkset (RFC 9264).',
        answers: {
          200: {
            description: 'The catalog.',
            text: {
              'application/linkset+json': {
                description: 'JSON of RFC 9264.',
                example: JSON.stringify(apiCatalog(baseUrl)),
              },
            },
          },
        },
      }),
    ],
  };
}
