/**
 * Offline verification: with pinned keys, and nothing of the network, server
 * or client. This file runs in browsers too; whole bundles are checked by
 * `bundle/verify-bundle.ts`, which reads files.
 */
export * from './pins.js';
export * from './proof-text.js';
export * from './tlog-proof-text.js';
export { inclusionLine, proofLine, refusalLine } from './verdict-line.js';
