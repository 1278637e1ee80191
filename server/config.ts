import path from 'node:path';
import { addressOf } from '../protocol/address.js';
import { isBoardName } from '../protocol/board-name.js';
import { parseUrl } from '../protocol/parse-url.js';
import { utcDay } from './clock.js';
import { defaultDataDir } from './db/embedded/folders.js';
import { guessName } from './http/body/guess.js';
import { parseTrustProxy } from './http/network.js';
import { DEFAULT_FUNNEL_PHRASES, type Limits, parseLimits } from './limits.js';

const ROLES = ['api', 'mesh', 'jobs'] as const;
// biome-ignore format: one list
const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const;
export type Role = (typeof ROLES)[number];

/** Checked and frozen (spec/board.md §14.4). */
export type Config = Readonly<ReturnType<typeof settings>>;

/** All faults, each a sentence that says what to do. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

const DATABASE = /^postgres(ql)?:\/\//;
const DATABASE_FORM = 'start with postgres:// or postgresql://';
const SMTP =
  /^smtps?:\/\/(?:[^\s/?#]+@)?(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?\/?$/i;
const MAIL = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws ConfigError with every fault. */
export function parseConfig(env: Environment): Config {
  const faults = unknownSettings(env);
  const limits = parseLimits(env.BOARD_LIMITS);
  faults.push(...limits.faults);
  const config = settings(new Reader(env, faults), limits.limits);
  if (config.port !== 0 && config.metricsPort === config.port) {
    faults.push('METRICS_PORT must be another port than PORT.');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

function settings(read: Reader, limits: Limits) {
  const host = read.text('HOST') ?? '127.0.0.1';
  const port = read.integer('PORT', 0, 65_535) ?? 8080;
  const databaseUrl = read.formed('DATABASE_URL', DATABASE, DATABASE_FORM);
  return {
    host,
    port,
    /** Scheme, host and port only. */
    baseUrl: read.baseUrl() ?? defaultBaseUrl(host, port),
    dataDir: read.dataDir(databaseUrl !== null),
    /** Null: the embedded PostgreSQL under `dataDir`. */
    databaseUrl,
    /** Standbys for reads. */
    databaseReplicaUrls: read.databases('DATABASE_REPLICA_URLS'),
    /** Null: as first started, or host and port of `baseUrl`. */
    boardName: read.boardName(),
    boardTitle: read.text('BOARD_TITLE') ?? 'Reserve Board',
    boardContact: read.text('BOARD_CONTACT') ?? '',
    /** 64 hex digits; absent seeds are made or derived (spec/mesh.md §B1). */
    boardSeed: read.seed('BOARD_SEED'),
    logKey: read.seed('BOARD_LOG_KEY'),
    mirrorKey: read.seed('BOARD_MIRROR_KEY'),
    nodeKey: read.seed('BOARD_NODE_KEY'),
    /** `YYYY-MM-DD`: on this UTC day a first start may begin a log. */
    logBegin: read.day('LOG_BEGIN'),
    limits,
    /** CIDR list; empty: X-Forwarded-For is ignored. */
    trustProxy: read.trustProxy(),
    funnelPhrases: read.phrases(),
    meshAllowHttp: read.switch('MESH_ALLOW_HTTP'),
    /** Other boards' operators may test-post here (spec/mesh.md §B6). */
    peerChecks: read.switch('PEER_CHECKS'),
    meshAllowPrivate: read.switch('MESH_ALLOW_PRIVATE'),
    /** Origins of webhooks that may use http or private addresses. */
    webhookPrivateOrigins: read.origins('WEBHOOK_PRIVATE_ORIGINS'),
    /** Null: no e-mail. */
    smtpUrl: read.formed('SMTP_URL', SMTP, 'be smtps://user:password@host'),
    smtpFrom: read.formed('SMTP_FROM', MAIL, 'be one e-mail address'),
    roles: read.roles(),
    metricsPort: read.integer('METRICS_PORT', 1, 65_535),
    metricsHost: read.text('METRICS_HOST') ?? '127.0.0.1',
    /** Answers before Express. */
    fastPaths: read.switch('FAST_PATHS', 'on'),
    logLevel: read.logLevel(),
  };
}

export function defaultBaseUrl(host: string, port: number): string {
  const named = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${named}:${port}`;
}

class Reader {
  constructor(
    private readonly env: Environment,
    private readonly faults: string[],
  ) {}

  /** Null when unset or blank (`NAME=` in an env file). */
  text(name: string): string | null {
    const value = this.env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  private fault(sentence: string): null {
    this.faults.push(sentence);
    return null;
  }

  integer(name: string, min: number, max: number): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    return this.fault(`${name} must be an integer from ${min} to ${max}.`);
  }

  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  switch(name: string, byDefault = 'off'): boolean {
    const text = this.text(name)?.toLowerCase() ?? byDefault;
    if (['1', 'true', 'on', 'yes'].includes(text)) return true;
    if (['0', 'false', 'off', 'no'].includes(text)) return false;
    this.fault(`${name} must be on or off.`);
    return false;
  }

  seed(name: string): string | null {
    const must = 'be 64 hex digits (32 bytes)';
    return this.formed(name, /^[0-9a-fA-F]{64}$/, must)?.toLowerCase() ?? null;
  }

  day(name: string): string | null {
    const text = this.text(name);
    if (text === null) return null;
    const ms = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    if (!Number.isNaN(ms) && utcDay(ms) === text) return text;
    return this.fault(
      `${name} must be a day such as 2026-01-31 (today's UTC date), or be left out.`,
    );
  }

  baseUrl(): string | null {
    const text = this.text('BASE_URL');
    if (text === null) return null;
    const url = parseUrl(text);
    const plain =
      url !== null &&
      (url.protocol === 'http:' || url.protocol === 'https:') &&
      url.pathname === '/' &&
      !/[?#@[]/.test(text);
    // Identities cannot name other addresses.
    if (plain && addressOf(url.origin) !== null) return url.origin;
    return this.fault(
      'BASE_URL must be http(s)://host[:port] without a path, query, user or IPv6 literal, and the host of letters, digits, "-" and "." without a final dot.',
    );
  }

  trustProxy(): string {
    const text = this.text('TRUST_PROXY') ?? '';
    try {
      parseTrustProxy(text);
    } catch (error) {
      this.fault((error as Error).message);
    }
    return text;
  }

  /** The fault's sentence describes the form. */
  formed(name: string, form: RegExp, must: string): string | null {
    const text = this.text(name);
    if (text === null || form.test(text)) return text;
    return this.fault(`${name} must ${must}.`);
  }

  boardName(): string | null {
    const text = this.text('BOARD_NAME');
    if (text === null || isBoardName(text)) return text;
    return this.fault(
      'BOARD_NAME must be lower-case letters, digits, dots and hyphens, with a dot or a :port, such as board.example.',
    );
  }

  /** Never inside a package: package managers delete it. */
  dataDir(external: boolean): string {
    const named = this.text('DATA_DIR');
    if (named !== null && /\p{Cc}/u.test(named)) {
      this.fault('DATA_DIR must be one line without control characters.');
      return named;
    }
    const folder = named ?? defaultDataDir(external);
    if (path.resolve(folder).split(path.sep).includes('node_modules')) {
      this.fault(
        named === null
          ? 'The data would be in node_modules, and the next installation would delete it; start in another folder, or set DATA_DIR.'
          : 'DATA_DIR must not be in node_modules, where the next installation deletes it.',
      );
    }
    return folder;
  }

  phrases(): string[] {
    const text = this.text('FUNNEL_PHRASES');
    if (text === null) {
      const isSet = this.env.FUNNEL_PHRASES !== undefined;
      return isSet ? [] : [...DEFAULT_FUNNEL_PHRASES];
    }
    try {
      const value: unknown = JSON.parse(text);
      if (
        Array.isArray(value) &&
        value.every((item) => typeof item === 'string' && item.trim() !== '')
      ) {
        return value as string[];
      }
    } catch {
      // Falls through to the fault below.
    }
    this.fault(
      'FUNNEL_PHRASES must be a JSON array of strings that are not blank; [] turns the rule off.',
    );
    return [];
  }

  databases(name: string): string[] {
    const listed = this.list(name);
    const isPlain = listed.every((it) => DATABASE.test(it));
    const isNeedless = listed.length > 0 && this.text('DATABASE_URL') === null;
    if (isPlain && !isNeedless) return listed;
    this.fault(
      `${name} must ${isPlain ? 'have DATABASE_URL beside it' : DATABASE_FORM}.`,
    );
    return [];
  }

  origins(name: string): string[] {
    const listed = this.list(name);
    const isOrigin = (it: string) => parseUrl(it)?.origin === it;
    if (listed.every((it) => /^https?:/.test(it) && isOrigin(it)))
      return listed;
    this.fault(
      `${name} must be origins such as http://10.0.0.5:8080, separated by commas.`,
    );
    return [];
  }

  roles(): Role[] {
    const names = this.list('ROLES');
    const unknown = names.filter((name) => !ROLES.includes(name as Role));
    if (unknown.length > 0) {
      this.fault(`ROLES takes any of ${ROLES.join(', ')}.`);
    }
    return names.length === 0 ? [...ROLES] : (names as Role[]);
  }

  logLevel(): (typeof LOG_LEVELS)[number] {
    const text = this.text('LOG_LEVEL') ?? 'info';
    const level = LOG_LEVELS.find((one) => one === text);
    if (level === undefined) {
      this.fault(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
    }
    return level ?? 'info';
  }
}

const BOARD_SETTINGS = [
  'BOARD_NAME',
  'BOARD_TITLE',
  'BOARD_CONTACT',
  'BOARD_SEED',
  'BOARD_LOG_KEY',
  'BOARD_MIRROR_KEY',
  'BOARD_NODE_KEY',
  'BOARD_LIMITS',
];

/** A sentence for each `BOARD_…` name that is no setting, with the one meant. */
function unknownSettings(env: object): string[] {
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('BOARD_') && !BOARD_SETTINGS.includes(name),
  );
  return unknown.map((name) => {
    const meant = guessName(name, BOARD_SETTINGS);
    const advice = meant === null ? 'remove it.' : `did you mean ${meant}?`;
    return `${name} is not a setting of this board; ${advice}`;
  });
}
