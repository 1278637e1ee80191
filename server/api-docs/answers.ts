import { z } from 'zod';
import { count, sha256Hex, url } from '../http/openapi/common.js';
import { DESCRIPTION_VERSION } from '../http/openapi/document.js';
import { COMPATIBLE_WITH } from '../http/release.js';
import { LIMIT_DEFAULTS } from '../limits.js';

const LIMITS = Object.fromEntries(
  Object.keys(LIMIT_DEFAULTS).map((name) => [name, z.int()]),
);
const text = z.string();
const listOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.array(z.object(shape)).readonly();
const hashed = { url, sha256: sha256Hex, bytes: count };

/** spec/board.md §2.14 */
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
    client: z
      .object(hashed)
      .nullable()
      .describe(
        'The client as one file, the same bytes on all boards of a release; null on a board that was not built.',
      ),
    documents: z.array(z.object({ name: text, ...hashed })),
    mesh_protocol: z
      .object({ document: z.object(hashed), vectors: z.object(hashed) })
      .describe('What other software needs to join the mesh.'),
    challenge: z.object({
      grammar: text,
      example: z.object({ challenge: text, answer: text }),
    }),
    limits: z.object(LIMITS).describe('Every limit in force, by name.'),
    signatures: z.object({
      statuses: z.array(z.enum(['guest', 'signed'])),
      algorithm: z.literal('Ed25519'),
      rule: text,
      note_format: text,
      log: z.object({ origin: text, vkey: text, checkpoint_url: url }),
    }),
    changelog: listOf({ release: text, date: text, changes: z.array(text) }),
    deprecations: listOf({
      what: text,
      announced: text,
      sunset: text,
      instead: text,
    }),
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

/** RFC 9727, as a linkset of RFC 9264. */
const apiCatalog = z
  .object({
    linkset: z.array(
      z
        .looseObject({ anchor: url })
        .describe(
          'Links from the anchor, by their relation: lists of `{href, type?}`.',
        ),
    ),
  })
  .describe('The interfaces that this board has.');

const meshVectors = z
  .looseObject({})
  .describe('Worked values of the formats of the mesh, and negative cases.');

export const schemas = {
  Protocol: protocol,
  MachineDescription: machineDescription,
  SkillIndex: skillIndex,
  ApiCatalog: apiCatalog,
  MeshVectors: meshVectors,
};

export const EXAMPLE_SHA256 =
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
