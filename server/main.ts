import { existsSync } from 'node:fs';
import { nativeDigest } from '../client/verify/native-digest.js';
import { useDigest } from '../protocol/hash.js';
import { report } from './cli/failure.js';
import { program } from './cli/program.js';

// Settings of a file beside the command; what the shell sets goes first.
if (existsSync('.env')) process.loadEnvFile('.env');

const asked = {
  json: process.argv.includes('--json'),
  stack: process.env.LOG_LEVEL === 'debug',
};

function fail(error: unknown): never {
  report(error, asked);
  process.exit(1);
}

// What nobody caught leaves the state unknown: say so and stop.
process.on('uncaughtException', fail).on('unhandledRejection', fail);

useDigest(nativeDigest);
try {
  await program().parseAsync(process.argv);
} catch (error) {
  fail(error);
}
