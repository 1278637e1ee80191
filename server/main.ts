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

/** Not failures: help or version was printed. */
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

/** The shell's settings win. */
function readEnvFile(): void {
  if (!existsSync('.env')) return;
  try {
    const text = readFileSync('.env', 'utf8');
    // PowerShell's UTF-16 would hide every name.
    if (text.includes('\0')) throw new Error('not UTF-8');
    // Byte order marks, also of joined files.
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

// The state is unknown then.
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
