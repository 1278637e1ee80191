/** Leaves of the log; shapes are in `entry/types.ts`. */
export * from './entry/embedded.js';
export { formatEntry } from './entry/format.js';
export {
  type EntryHead,
  parseEntry,
  parseEntryHead,
  readLeaf,
} from './entry/parse.js';
export * from './entry/types.js';
