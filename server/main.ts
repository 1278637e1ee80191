import { existsSync } from 'node:fs';
import { CommanderError } from 'commander';
import { nativeDigest } from '../client/verify/native-digest.js';
import { useDigest } from '../protocol/bytes.js';
import { report } from './cli/failure.js';
import { program } from './cli/program.js';

// Settings of a file beside the command; what the shell sets goes first.
if (existsSync('.env')) process.loadEnvFile('.env');

const asked = {
  json: process.argv.includes('--json'),
  stack: process.env.LOG_LEVEL === 'debug',
};

/** What ends a command with its help or version on the screen. */
const HELP = new Set([
  'commander.help',
  'commander.helpDisplayed',
  'commander.version',
]);

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
  if (!(error instanceof CommanderError && HELP.has(error.code))) fail(error);
  process.exitCode = error.exitCode;
}
