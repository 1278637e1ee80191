import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('./main.js', import.meta.url));

describe('npm run mesh:demo', () => {
  it('links three boards, shows a journey and ends with --once', async () => {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [SCRIPT, '--once']);
    expect(stdout).to.include('Linked: each has confirmed the log keys');
    for (const board of ['Board B', 'Board C']) {
      expect(stdout).to.match(new RegExp(`${board} could read it [\\d.]+ ms`));
      expect(stdout).to.match(
        new RegExp(`${board} had deleted its text [\\d.]+ ms later`),
      );
    }
  });
});
