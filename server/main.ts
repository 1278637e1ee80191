import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { CommanderError } from 'commander';
import {
  watchOutput,
  whenOutputIsLost,
} from '../client/cli/standard-output.js';
import { nativeDigest } from '../client/verify/native-digest.js';
import { useDigest } from '../protocol/bytes.js';
import { CommandFailure, endFailed, report } from './cli/failure.js';
import { program } from './cli/program.js';

const json = process.argv.includes('--json');

/** What ends a command with its help or version on the screen. */
const HELP = new Set([
  'commander.help',
  'commander.helpDisplayed',
  'commander.version',
]);

let hasFailed = false;

function fail(error: unknown): void {
  if (hasFailed) return; // it ends already, and this may come of that
  hasFailed = true;
  whenOutputIsLost('keep');
  report(error, { json, stack: process.env.LOG_LEVEL === 'debug' });
  endFailed();
}

/** Settings of a file beside the command; what the shell sets goes first. */
function readEnvFile(): void {
  if (!existsSync('.env')) return;
  try {
    const text = readFileSync('.env', 'utf8');
    // As UTF-16, which PowerShell writes, no name would be found.
    if (text.includes('\0')) throw new Error('not UTF-8');
    // A mark at the start of a line, as where files were joined, is no letter.
    const settings = parseEnv(text.replace(/(?<![^\n\r])\ufeff+/g, ''));
    for (const [name, value] of Object.entries(settings)) {
      process.env[name] ??= value;
    }
  } catch {
    throw new CommandFailure(
      `${resolve('.env')} cannot be read as a file of settings; correct its rights, save it as UTF-8, or move it away.`,
    );
  }
}

// What nobody caught leaves the state unknown: say so and stop.
process.on('uncaughtException', fail).on('unhandledRejection', fail);
watchOutput();

useDigest(nativeDigest);
try {
  readEnvFile();
  await program().parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError && HELP.has(error.code)) {
    process.exitCode = error.exitCode;
  } else fail(error);
}
