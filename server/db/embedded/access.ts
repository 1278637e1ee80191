import { randomUUID } from 'node:crypto';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { RunAs } from './account.js';
import { hbaFile } from './layout.js';

const MAP = 'board';

const HBA = `# Written by the board at every start.
# Only the accounts of pg_ident.conf, and by the socket only.
local all all peer map=${MAP}
`;

/**
 * Allows this process's account and root, and nobody else (spec/board.md
 * §16.1); returns the settings. The server's own account is left out: other
 * programs may run as it.
 */
export async function writeAccess(
  dataRoot: string,
  as: RunAs,
): Promise<{ hba_file: string; ident_file: string }> {
  const accounts = new Set([userInfo().username, 'root']);
  const ident = [...accounts].map((name) => `${MAP} "${name}" all\n`).join('');
  const mode = as === null ? 0o600 : 0o644;
  const write = async (file: string, text: string) => {
    // Atomic: another process may start the same server.
    const draft = `${file}.${randomUUID()}`;
    try {
      await writeFile(draft, text, { flag: 'wx' });
      await chmod(draft, mode); // the umask may have taken bits away
      await rename(draft, file);
    } finally {
      await rm(draft, { force: true }); // still there when the disk is full
    }
    return file;
  };
  return {
    hba_file: await write(hbaFile(dataRoot), HBA),
    ident_file: await write(join(dataRoot, 'pg_ident.conf'), ident),
  };
}
