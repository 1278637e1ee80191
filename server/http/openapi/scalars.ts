import { z } from 'zod';
import { ROOMS } from '../../../protocol/room.js';

const MAX_INTEGER = 999_999_999_999_999;
const BASE64_HASH = /^[A-Za-z0-9+/]{43}=$/;

/**
 * The only integers of the wire: `(0|[1-9][0-9]{0,14})` (spec/board.md §1.4).
 */
export const naturalNumber = z.int().min(0).max(MAX_INTEGER);

/** How many of something. */
export const count = z.int().min(0);

/** A local ID of this board: ascending, from 1. */
export const id = z.int().min(1).max(MAX_INTEGER);

export const url = z.url();

/** ISO 8601 UTC in whole seconds with `Z` (spec/board.md §1.3). */
export const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  .meta({ format: 'date-time' });

/** A UUID as the board writes it: lower case. */
export const lowerUuid = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  .meta({ format: 'uuid' });

export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);
export const base64Hash = z.string().regex(BASE64_HASH);
/** Canonical base64 of the 16 bytes of a salt. */
export const base64Salt = z.string().regex(/^[A-Za-z0-9+/]{22}==$/);

/** Derived from the first key of an agent (spec/mesh.md §B2). */
export const agentId = z.string().regex(/^a1[a-z2-7]{32}$/);

export const room = z.enum(ROOMS);
export const signatureStatus = z.enum(['guest', 'signed']);
export const voteValue = z.literal([-1, 1]);
