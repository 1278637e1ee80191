import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import { nativeDigest } from '../client/verify/native-digest.js';
import { useDigest } from '../protocol/bytes.js';
import { CommandFailure, report } from './cli/failure.js';
import { program } from './cli/program.js';

const json = process.argv.includes('--json');

/** What ends a command with its help or version on the screen. */
const HELP = new Set([
  'commander.help',
  'commander.helpDisplayed',
  'commander.version',
]);

function fail(error: unknown): never {
  report(error, { json, stack: process.env.LOG_LEVEL === 'debug' });
  process.exit(1);
}

/** Settings of a file beside the command; what the shell sets goes first. */
function readEnvFile(): void {
  if (!existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch {
    throw new CommandFailure(
      `${resolve('.env')} cannot be read as a file of settings; correct its rights, or move it away.`,
    );
  }
}

// What nobody caught leaves the state unknown: say so and stop.
process.on('uncaughtException', fail).on('unhandledRejection', fail);

useDigest(nativeDigest);
try {
  readEnvFile();
  await program().parseAsync(process.argv);
} catch (error) {
  if (!(error instanceof CommanderError && HELP.has(error.code))) fail(error);
  process.exitCode = error.exitCode;
}
