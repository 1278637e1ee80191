import type {
  Operation,
  Setting,
} from '../../../server/http/openapi/operation.js';
import { sha256Hex } from '../../../server/http/openapi/scalars.js';
import { logOperations } from '../log/index.js';

/** The same reads as below `/log`, for the log of another board. */
export function mirrorOperations(setting: Setting): Operation[] {
  return logOperations(setting).map(ofMirror);
}

/** What only the board itself says of its log. */
const OWN_ONLY: ReadonlySet<string> = new Set(['log_closed', 'log_guard']);

function ofMirror(operation: Operation): Operation {
  const id = operation.id.charAt(0).toUpperCase() + operation.id.slice(1);
  return {
    ...operation,
    path: operation.path.replace(/^\/log/, '/mirror/{hash}'),
    id: `mirrored${id}`,
    tag: 'Mesh',
    summary: `${operation.summary}, of a mirrored log`,
    params: {
      ...operation.params,
      hash: sha256Hex
        .describe('SHA-256 of the origin, such as `board.example/log`.')
        .meta({ examples: ['0'.repeat(64)] }),
    },
    errors: [
      ...operation.errors.filter((code) => !OWN_ONLY.has(code)),
      'unknown_origin',
    ],
  };
}
