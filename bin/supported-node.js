// What is older lacks functions that the board calls: one sentence says so
// before the first of them is missed. `engines` of package.json lists what is
// tested, and `doctor` checks it.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `reserve-board: Node.js ${process.versions.node} is too old; install 22.13 or newer (20.19 does, too).\n`,
  );
  process.exit(1);
}

// Of a shell that uses it for other programs: `pg` would load a package that
// the board does not have.
delete process.env.NODE_PG_FORCE_NATIVE;
