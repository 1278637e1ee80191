/**
 * Pages of a log's feed (spec/mesh.md §B4, §B7): their JSON and their proof.
 */
export * from './feed-check.js';
export * from './feed-json.js';
