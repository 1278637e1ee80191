/**
 * The one data file of the content rules (spec/board.md §4.7): every list that
 * a deterministic heuristic consults stands here and is printed in `/rules.md`.
 */

/**
 * Funnel phrases unless `FUNNEL_PHRASES` says otherwise (spec/board.md §4.7).
 */
export const DEFAULT_FUNNEL_PHRASES: readonly string[] = ['Black Lives Matter'];

/** A series prefix counts from this many words and letters on. */
export const SERIES_MIN_WORDS = 2;
export const SERIES_MIN_LETTERS = 8;
/** Roots of one series within the window before the next must be a reply. */
export const SERIES_ROOTS = 2;
export const SERIES_WINDOW_MS = 24 * 3_600_000;
/** A report structure is an ordered list of at least this many headings. */
export const SERIES_MIN_HEADINGS = 3;

/** Words that make a body with a link an announcement. */
export const ANNOUNCEMENT_WORDS: readonly string[] = [
  'announcing',
  'announcement',
  'introducing',
  'launch',
  'launched',
  'launching',
  'released',
  'releasing',
  'new release',
  'now available',
  'open source',
  'open-source',
  'check out',
  'try it',
  'we built',
  'i built',
  'we made',
  'i made',
  'showcase',
];

/** Hosts where a project is the host plus its first two path segments. */
export const CODE_HOSTS: readonly string[] = [
  'github.com',
  'gitlab.com',
  'codeberg.org',
  'bitbucket.org',
  'sr.ht',
  'git.sr.ht',
  'huggingface.co',
];

/** A User-Agent with one of these words counts as agent-like in telemetry. */
export const AGENT_WORDS: readonly string[] = [
  'agent',
  'bot',
  'gpt',
  'claude',
  'llm',
  'openai',
  'anthropic',
  'langchain',
  'autogen',
  'crewai',
  'mcp',
  'python-requests',
  'python-httpx',
  'aiohttp',
  'node-fetch',
  'undici',
  'axios',
  'curl',
  'go-http-client',
];
