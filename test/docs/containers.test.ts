import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFile(path.join(ROOT, name), 'utf8');
const COMPOSED = ['docker/compose.yml', 'docker/compose.mesh.yml'];

/** Blocks of YAML that run a container: a service, or a part of several. */
function containers(text: string): string[] {
  const parts = text.split(/^(?=\S)/m);
  const blocks = parts.flatMap((part) =>
    part.startsWith('services:') ? part.split(/^(?= {2}\S)/m) : [part],
  );
  return blocks.filter((block) => /^ +(?:image|build):/m.test(block));
}

describe('the image', () => {
  let file: string;
  let stages: string[];

  before(async () => {
    file = await read('docker/Dockerfile');
    stages = file.split(/^(?=FROM )/m).slice(1);
  });

  it('runs as an account that owns its data and nothing else', () => {
    const last = stages.at(-1) ?? '';
    expect(last).to.match(/^USER node$/m);
    const owned = [...last.matchAll(/-o node .*|--chown=.*/g)].join();
    expect(owned).to.equal('-o node -g node -m 0700 /data');
    expect(last.slice(last.indexOf('USER node'))).to.not.match(/^(RUN|COPY)/m);
    expect(file).to.not.match(/\b0?777\b|chmod|setcap|sudo/);
  });

  it('has one base, by its version, newer than the known faults of older ones', () => {
    const bases = stages.map((stage) => stage.split(/\s/)[1] ?? '');
    expect(new Set(bases).size).to.equal(1);
    const [, minor = 0, patch = 0] =
      /^node:22\.(\d+)\.(\d+)-slim$/.exec(bases[0] ?? '')?.map(Number) ?? [];
    expect(minor * 1000 + patch).to.be.at.least(23_003);
  });

  it('contains no secret, in no layer', async () => {
    expect(file).to.not.match(/^(?:ARG|ENV).*(?:SEED|SECRET|PASS|TOKEN|KEY)/m);
    // What the build sees is a list, which no file of settings is on.
    const rules = (await read('.dockerignore')).trim().split('\n');
    expect(rules[0]).to.equal('*');
    expect(rules.indexOf('**/*.env')).to.be.above(
      rules.findLastIndex((rule) => rule.startsWith('!')),
    );
    for (const name of ['data', '.env', '.git', 'docker', 'node_modules']) {
      expect(rules).to.not.include(`!${name}`);
    }
  });

  it('runs no script of a package', () => {
    const installs = file.match(/npm (?:ci|install)[^\n]*/g) ?? [];
    expect(installs).to.have.length.above(0);
    for (const one of installs) expect(one).to.include('--ignore-scripts');
  });

  it('asks itself for its health', () => {
    const check = /HEALTHCHECK[\s\S]*?\]/.exec(file)?.[0] ?? '';
    expect(check).to.include('127.0.0.1').and.to.include('/healthz');
  });
});

for (const name of COMPOSED) {
  describe(`the containers of ${name}`, () => {
    let text: string;

    before(async () => {
      text = await read(name);
    });

    it('have no more rights than they need', () => {
      const blocks = containers(text);
      expect(blocks).to.have.length(2);
      for (const block of blocks) {
        expect(block).to.include('cap_drop: [ALL]');
        expect(block).to.include("security_opt: ['no-new-privileges:true']");
      }
      const [board = '', database = ''] = blocks;
      expect(board)
        .to.match(/read_only: true/)
        .and.to.match(/pids_limit:/);
      expect(board).to.match(/\/tmp:mode=0700,uid=1000,gid=1000,size=/);
      expect(board).to.not.include('cap_add');
      expect(database).to.match(/cap_add: \[CHOWN, DAC_OVERRIDE, FOWNER,/);
      expect(text).to.not.match(
        /privileged|docker\.sock|network_mode|pid:|SYS_ADMIN|NET_ADMIN/,
      );
    });

    it('are reached from this machine only, the databases by their boards', () => {
      const ports = [...text.matchAll(/[\d.:]+:8080\b(?!['/])/g)].map(String);
      const published = ports.filter((one) => /^\d/.test(one));
      for (const one of published) expect(one).to.match(/^127\.0\.0\.1:/);
      expect(text).to.include('internal: true');
      expect(text).to.not.match(/:5432:|5432:5432/);
    });
  });
}

describe('settings of containers', () => {
  it('are examples, in which no password is one', async () => {
    const compose = await read('docker/compose.yml');
    expect(compose).to.not.match(/PASSWORD|SEED/);
    for (const name of ['board', 'database']) {
      const text = await read(`docker/${name}.env.example`);
      const secrets = [
        ...text.matchAll(/^\w*(?:PASSWORD|URL|SEED)\w*=(.*)$/gm),
      ];
      expect(secrets).to.have.length.above(0);
      for (const [, value] of secrets) expect(value).to.include('CHANGE_ME');
    }
  });
});

describe('the systemd unit', () => {
  it('gives the node its data folder and the network, and no more', async () => {
    const text = await read('deploy/reserve-board.service');
    const lines = text.split('\n').filter((line) => /^\w/.test(line));
    expect(lines).to.include.members([
      ...['User=reserve-board', 'NoNewPrivileges=true', 'UMask=0077'],
      ...['ProtectSystem=strict', 'ProtectHome=true', 'PrivateTmp=true'],
      ...['PrivateDevices=true', 'CapabilityBoundingSet=', 'RemoveIPC=true'],
      ...['AmbientCapabilities=', 'StateDirectoryMode=0700'],
      ...['RestrictSUIDSGID=true', 'RestrictNamespaces=true'],
      'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6',
      'SystemCallFilter=@system-service',
    ]);
    // No secret is a word of the unit, which everybody may read.
    expect(text).to.not.match(/^Environment=.*(?:PASSWORD|URL|SEED)/m);
    expect(text).to.match(/install -m 0600 .*reserve-board\.env/);
    expect(text).to.not.match(/^ReadWritePaths=|^BindPaths=|^Exec\w*=[+!]/m);
  });
});

describe('the examples of proxies', () => {
  it('overwrite what a client says of its address', async () => {
    const nginx = await read('deploy/nginx.conf');
    const named = [...nginx.matchAll(/proxy_set_header (X-\S+) (.*);/g)];
    expect(named.map(([, name, value]) => [name, value])).to.deep.equal([
      ['X-Forwarded-For', '$remote_addr'],
    ]);
    const caddy = await read('deploy/Caddyfile');
    expect(caddy).to.include('reverse_proxy 127.0.0.1:8080');
    // Without this it overwrites the header.
    expect(caddy).to.not.match(/trusted_proxies|header_up/);
  });
});
