/**
 * Offline, also in browsers. Bundles are checked by `bundle/verify-bundle.ts`,
 * which reads files.
 */
export * from './pins.js';
export * from './proof-text.js';
export * from './tlog-proof-text.js';
export { inclusionLine, proofLine, refusalLine } from './verdict-line.js';
