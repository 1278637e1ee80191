/** A package as `package-lock.json` (version 3) has it. */
export type Locked = {
  name?: string;
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
  hasInstallScript?: boolean;
  os?: string[];
  cpu?: string[];
};
export type Lockfile = {
  lockfileVersion: number;
  packages: Record<string, Locked>;
};

export function nameAt(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 13);
}

export function runtimePackages({ packages }: Lockfile): [string, Locked][] {
  return Object.entries(packages).filter(
    ([path, { dev }]) => path !== '' && dev !== true,
  );
}

/**
 * What the board is made of at run time, as a CycloneDX 1.6 document: each
 * package once per version, with its licence and the hash that the lockfile
 * pins. It holds no date, so equal lockfiles give equal bytes.
 */
export function sbomOf(lock: Lockfile): string {
  const { name = '', version = '' } = lock.packages[''] ?? {};
  const components = new Map<string, object>();
  for (const [path, one] of runtimePackages(lock)) {
    const component = componentOf(nameAt(path), one);
    components.set(component.purl, component);
  }
  const sorted = [...components].sort(([a], [b]) => (a < b ? -1 : 1));
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: sorted.map(([, component]) => component),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function componentOf(name: string, one: Locked) {
  const { version = '', license = '', integrity = '', optional } = one;
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: optional === true ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: content.toString('hex') }],
    licenses: [
      / (?:OR|AND) /.test(license)
        ? { expression: license }
        : { license: { id: license } },
    ],
    purl,
  };
}
