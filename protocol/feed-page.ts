/** spec/mesh.md §B4, §B7 */
export * from './feed-check.js';
export * from './feed-json.js';
