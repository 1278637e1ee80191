import type { Mirrors } from '../../mesh/mesh-ports.js';
import type { Context } from '../context.js';
import type { Operation } from '../http/openapi/operation.js';

/** What pages need beside the context. */
export type SiteContext = Context & {
  readonly mirrors: Mirrors;
  readonly operations: () => readonly Operation[];
  readonly documents: () => { 'llms.txt': { bytes: Buffer } };
  /** Null on a board that was not built. */
  readonly clientFile: () => object | null;
};
