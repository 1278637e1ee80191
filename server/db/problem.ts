import { parseUrl } from '../../protocol/parse-url.js';
import { isConnectionLost } from './sql.js';

/** The message is one sentence that says what to do. */
export class DatabaseProblem extends Error {
  override readonly name = 'DatabaseProblem';
}

type Clues = Partial<Record<'code' | 'message' | 'errors' | 'path', unknown>>;

const AWAY = 'check that PostgreSQL runs there and that DATABASE_URL is right';

/** In its place where the board runs its own. */
const OWN =
  'run "reserve-board doctor", which looks at the board\'s own in DATA_DIR';

const AUTHORITY =
  'its certificate is of another authority; correct sslrootcert in DATABASE_URL';

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: `nothing answers at that address; ${AWAY}`,
  ETIMEDOUT: `nothing answers at that address; ${AWAY}`,
  ERR_INVALID_URL:
    'DATABASE_URL is no address such as postgresql://board:password@host:5432/board; write the characters / ? # @ : % of its password percent-encoded (# is %23)',
  EHOSTUNREACH: `nothing answers at that address; ${AWAY}`,
  ENOENT: `there is no such socket; ${AWAY}`,
  EACCES: 'this user may not open its socket; change the rights of the folder',
  ENOTFOUND: 'the host name is unknown; correct it in DATABASE_URL',
  EAI_AGAIN: 'the host name cannot be looked up; try again or correct the DNS',
  SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: AUTHORITY,
  CERT_SIGNATURE_FAILURE: AUTHORITY,
  CERT_HAS_EXPIRED: 'its certificate has expired; renew it',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is of another host; correct the host in DATABASE_URL',
  '08P01':
    'a connection pooler refuses a parameter of the connection; take it out of DATABASE_URL or PGOPTIONS',
  '28P01': 'the password is refused; correct it in DATABASE_URL',
  '28000': 'the user is refused; correct DATABASE_URL or pg_hba.conf',
  '3D000': 'that database does not exist; create it or correct DATABASE_URL',
  '53300': 'it has no connection left; raise max_connections',
  '57P03': 'it is still starting; try again in a moment',
};

const LOST = `its server ended or restarted meanwhile; run this again, and if that does not help, ${AWAY}`;

const MESSAGES: readonly [RegExp, string][] = [
  [
    /does not support SSL/,
    'it takes no TLS; set ssl = on there, or take sslmode out of DATABASE_URL',
  ],
  [
    /sslnegotiation|configuration parameter|command-line/,
    'a parameter of the connection is wrong; correct DATABASE_URL',
  ],
  [
    /timeout/i,
    `it does not answer in time; ${AWAY}, and that a pooler on the way has 20 sessions for each process`,
  ],
];

function codeOf({ code, errors }: Clues): string | null {
  if (typeof code === 'string') return code;
  const first = Array.isArray(errors) ? (errors[0] as Clues) : null;
  return typeof first?.code === 'string' ? first.code : null;
}

/** Variables that pg reads, and whether a URL sets the same. */
const FROM_ENVIRONMENT: readonly [RegExp, (url: URL) => string | null][] = [
  [/^PGHOST$/, (url) => url.hostname || url.searchParams.get('host')],
  [/^PGPORT$/, (url) => url.port],
  [/^PGUSER$/, (url) => url.username || url.searchParams.get('user')],
  [/^PG(?:PASSWORD|PASSFILE)$/, (url) => url.password],
  [/^PGDATABASE$/, (url) => url.pathname.slice(1)],
  [
    /^PGSSLMODE$/,
    ({ searchParams: has }) => has.get('sslmode') ?? has.get('ssl'),
  ],
  [/^PGSSLNEGOTIATION$/, (url) => url.searchParams.get('sslnegotiation')],
  [/^PGOPTIONS$/, (url) => url.searchParams.get('options')],
  [/^PGREPLICATION$/, (url) => url.searchParams.get('replication')],
];

/** The end of a sentence: which variables count beside DATABASE_URL. */
function ofEnvironment(env: NodeJS.ProcessEnv): string {
  const url = parseUrl(env.DATABASE_URL ?? '');
  if (url === null) return '';
  const names = FROM_ENVIRONMENT.flatMap(([name, inUrl]) =>
    Object.keys(env).filter(
      (one) => name.test(one) && env[one] !== '' && !inUrl(url),
    ),
  );
  if (names.length === 0) return '';
  return ` DATABASE_URL leaves out what the environment says by ${names.join(', ')}: write it there, or unset the variable.`;
}

/** PostgreSQL's insufficient_privilege. */
const NO_RIGHT = '42501';

/** Names the role that may change tables, where this one may not. */
export function ownerProblem(error: unknown): unknown {
  const clues: Clues = error instanceof Error ? error : {};
  if (codeOf(clues) !== NO_RIGHT) return error;
  return new DatabaseProblem(
    'The role of DATABASE_URL may not change the tables, and they have to be changed now; run "reserve-board migrate", or the same command, with the DATABASE_URL of their owner first.',
  );
}

/** Without secrets. */
export function connectionProblem(
  error: unknown,
  env: NodeJS.ProcessEnv = process.env,
): unknown {
  const clues: Clues = error instanceof Error ? error : {};
  const code = codeOf(clues);
  // An error of a file, such as a certificate, not of a connection.
  if (typeof clues.path === 'string') return error;
  const message = String(clues.message);
  const sentence =
    SENTENCES[code ?? ''] ??
    MESSAGES.find(([known]) => known.test(message))?.[1] ??
    (isConnectionLost({ code, message }) ? LOST : null);
  if (sentence === null) return error;
  const [start, rest] = sentence.split(AWAY);
  const isOwn = rest !== undefined && !env.DATABASE_URL;
  const coded = code === null ? '' : ` (${code})`;
  const more = sentence === LOST ? '' : ofEnvironment(env);
  return new DatabaseProblem(
    `The database cannot be reached: ${isOwn ? `${start}${OWN}` : sentence}${coded}.${more}`,
  );
}
