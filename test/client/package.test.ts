import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What a program prints that imports the built package by its name. */
function printed(folder: string, program: string): string {
  const args = ['--input-type=module', '-e', program];
  return execFileSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
  }).trim();
}

describe('the package', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'package-'));
    cpSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
    const modules = path.join(ROOT, 'node_modules');
    symlinkSync(modules, path.join(folder, 'node_modules'));
    const tsc = path.join(modules, 'typescript/bin/tsc');
    const out = path.join(folder, 'dist');
    const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', out];
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('exports the client, identities, both verifiers and the protocol', () => {
    const program = `
      import { createClient } from 'reserve-board/client';
      import { newIdentity } from 'reserve-board/identity';
      import { readPins, verifyProofText } from 'reserve-board/verify';
      import { verifyBundle } from 'reserve-board/verify-bundle';
      import { parseCheckpoint } from 'reserve-board/protocol/checkpoint';
      console.log([createClient, newIdentity, readPins, verifyProofText,
        verifyBundle, parseCheckpoint].map((one) => typeof one).join(' '));`;
    const functions = Array.from({ length: 6 }, () => 'function').join(' ');
    expect(printed(folder, program)).to.equal(functions);
  });

  it('exports nothing of the server', () => {
    const program = `
      await import('reserve-board/server/board.js').catch((error) =>
        console.log(error.code));`;
    expect(printed(folder, program)).to.equal('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});
