import { z } from 'zod';
import { count, sha256Hex, url } from '../http/openapi/common.js';
import { DESCRIPTION_VERSION } from '../http/openapi/document.js';
import { COMPATIBLE_WITH } from '../http/release.js';
import { LIMIT_DEFAULTS } from '../limits.js';

const LIMITS = Object.fromEntries(
  Object.keys(LIMIT_DEFAULTS).map((name) => [name, z.int()]),
);
const hashed = { url, sha256: sha256Hex, bytes: count };

/** `/api/protocol` (spec/board.md §2.14). */
const protocol = z
  .object({
    release: z.string().describe("This software's own version."),
    compatible_with: z.literal(COMPATIBLE_WITH),
    machine_description: z.object({
      version: z.literal(DESCRIPTION_VERSION),
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

export const schemas = {
  Protocol: protocol,
  MachineDescription: machineDescription,
  SkillIndex: skillIndex,
};

/** In examples. */
export const EXAMPLE_SHA256 =
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
