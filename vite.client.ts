import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const NAME = 'reserve-board.mjs';

const { version } = JSON.parse(readFileSync(here('./package.json'), 'utf8'));

/** Before everything else: what it is, who wrote it, and what runs it. */
const BANNER = `#!/usr/bin/env node
/*! Reserve Board ${version}, the client in one file: commands, verifier, MCP.
 *  node reserve-board.mjs --help
 *  MIT. Contains commander (MIT, TJ Holowaychuk <tj@vision-media.ca>) and
 *  @noble/hashes (MIT, Paul Miller, https://paulmillr.com).
 */
if (!(Number(process.versions.node?.split('.')[0]) >= 20)) {
  console.error('reserve-board: this needs Node.js 20.19 or newer.');
  process.exit(1);
}`;

/**
 * The client as one file, beside the node that serves it: the agents' commands
 * with all they need, legible, and the same bytes wherever a release is built.
 */
export function oneFileClient(): Plugin {
  return {
    name: 'one-file-client',
    async generateBundle() {
      const source = await oneFile();
      this.emitFile({ type: 'asset', fileName: NAME, source });
    },
  };
}

async function oneFile(): Promise<string> {
  const built = await build({
    configFile: false,
    root: here('.'),
    publicDir: false,
    envDir: false,
    logLevel: 'warn',
    define: { RELEASE: JSON.stringify(version) },
    resolve: {
      alias: { 'libsodium-wrappers': here('./client/one-file/sodium.ts') },
    },
    ssr: { noExternal: true },
    build: {
      ssr: here('./client/one-file/main.ts'),
      write: false,
      target: 'es2023',
      minify: false,
      rolldownOptions: {
        // Names of files would differ where node_modules is a link.
        experimental: { attachDebugInfo: 'none' },
        output: {
          codeSplitting: false,
          banner: BANNER,
          charset: 'ascii',
          comments: { annotation: false, jsdoc: false },
        },
      },
    },
  });
  if (!('output' in built) || built.output.length !== 1) {
    throw new Error('the client is not one file');
  }
  return built.output[0].code;
}
