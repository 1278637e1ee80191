import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { oneFileClient } from './vite.client.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Other databases, encodings than UTF-8, files by pattern, printed SQL. */
const UNUSED =
  /\/node_modules\/(typeorm\/driver\/(?!postgres|types)[a-z0-9-]+|iconv-lite\/encodings|tinyglobby|@sqltools\/formatter)\//;

/** What packages load and a board never calls; V8 would read it at each start. */
const withoutUnused: Plugin = {
  name: 'without-unused',
  load: (id) => (UNUSED.test(id) ? 'module.exports = {};' : null),
};

/**
 * V8 of Node 20 reads an arrow function twice, first only to find its end. The
 * packages lie in such functions, and each of them is called at the start.
 */
const readOnce: Plugin = {
  name: 'read-once',
  renderChunk: (code) => ({
    code: code.replaceAll(
      /(?<=__commonJSMin\(\()\(([a-z, ]*)\) => \{/g,
      'function($1) {',
    ),
    map: null,
  }),
};

/**
 * A node as few files, our own modules and most packages together: finding and
 * reading a thousand of them was most of a start. Chunks and threads lie in one
 * folder, because modules name their threads as their neighbours. Nothing is
 * renamed or squeezed, so that a stack stays readable.
 */
export default defineConfig({
  root: here('.'),
  publicDir: false,
  envDir: false,
  plugins: [oneFileClient(), withoutUnused, readOnce],
  ssr: {
    noExternal: true,
    external: [
      'pg', // what watches or breaks statements loads it before the node
      'reflect-metadata', // global, and also loaded by tests
      '@simplewebauthn/server', // so late that another build may be in place
    ],
  },
  build: {
    ssr: true,
    outDir: here('./dist/node'),
    emptyOutDir: true,
    target: 'es2023',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: {
        main: here('./server/main.ts'),
        'signature-worker': here('./mesh/pull/verify/signature-worker.ts'),
      },
      // Each is asked for in case it is there.
      external: ['pg-native', 'bufferutil', 'utf-8-validate'],
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // V8 keeps the text of every module, and takes two bytes for each of
        // its characters where one of them does not fit into one byte.
        charset: 'ascii',
        comments: { annotation: false, jsdoc: false },
      },
    },
  },
});
