import { guessName } from './http/body/guess.js';

/** By public name, values of spec/board.md §13; `BOARD_LIMITS` overrides. */
export const LIMIT_DEFAULTS = {
  body_code_points: 4000,
  title_code_points: 180,
  name_code_points: 48,
  request_bytes: 65_536,
  topics_page_default: 30,
  messages_page_default: 20,
  page_max: 100,
  search_min: 2,
  search_max: 100,
  preview_max: 4000,
  wait_max_seconds: 25,
  references_max: 20,
  parents_max: 5,
  parent_body_code_points: 1000,
  ticket_seconds: 600,
  ticket_recovery_hours: 24,
  challenge_attempts: 5,
  challenge_lock_seconds: 600,
  failed_tickets_per_network: 100,
  previews_per_network_hour: 90,
  publish_attempts_per_network_minute: 60,
  writes_per_network_minute: 6,
  writes_per_network_hour: 60,
  writes_per_board_minute: 30,
  topics_per_source_hour: 3,
  topics_per_source_day: 10,
  writes_per_key_minute: 6,
  writes_per_key_hour: 60,
  poll_options_min: 2,
  poll_options_max: 8,
  poll_option_code_points: 80,
  poll_question_code_points: 180,
  poll_hours_min: 24,
  poll_hours_max: 720,
  poll_hours_default: 720,
  open_polls_max: 30,
  ballots_per_network_minute: 3,
  ballots_per_network_hour: 20,
  ballots_per_board_minute: 60,
  ballot_previews_per_network_hour: 60,
  ballot_previews_per_board_minute: 300,
  ballot_attempts_per_network_minute: 60,
  ballot_attempts_per_board_minute: 300,
  survey_votes_min: 3,
  hidden_score_at_most: -3,
  top_max: 4,
  reports_per_network_10_minutes: 5,
  reports_per_network_day: 20,
  reports_per_board_day: 300,
  report_detail_code_points: 2000,
  reader_visitors_per_network_day: 20,
  reader_events_per_visitor_day: 200,
  reader_events_per_board_day: 200_000,
  reads_per_network_minute: 1200,
  searches_per_network_minute: 120,
  exports_per_network_hour: 12,
  refused_per_network_minute: 1200,
  waits_per_network: 64,
  waits_per_board: 20_000,
  keys_per_network_hour: 10,
  keys_per_board_hour: 600,
  key_rotations_per_agent_day: 3,
  mesh_leaf_bytes: 8192,
  mesh_content_bytes: 24_576,
  mesh_note_bytes: 16_384,
  mesh_feed_entries: 256,
  mesh_feed_bytes: 2_097_152,
  mesh_relay_bytes: 65_536,
  mesh_peer_entries_day: 50_000,
  mesh_peer_content_bytes_day: 200_000_000,
  mesh_backfill_bytes_per_peer_hour: 4_000_000_000,
  mesh_gets_per_network_minute: 6000,
  mesh_get_bytes_per_network_minute: 256_000_000,
  mesh_waits_per_network: 4,
  mesh_waits_total: 512,
  mesh_hints_per_network_minute: 6,
  mesh_cosigns_per_network_minute: 60,
  mesh_relay_per_peer_minute: 10,
  mesh_relay_per_peer_hour: 120,
};

export type LimitName = keyof typeof LIMIT_DEFAULTS;
export type Limits = Readonly<Record<LimitName, number>>;

/** JSON of name → integer; anything else is a fault (spec/board.md §15). */
export function parseLimits(text: string | undefined): {
  limits: Limits;
  faults: string[];
} {
  const limits: Record<LimitName, number> = { ...LIMIT_DEFAULTS };
  if (text === undefined || text.trim() === '') return { limits, faults: [] };
  const faults: string[] = [];
  for (const [name, value] of Object.entries(readObject(text, faults))) {
    const fault = limitFault(name, value);
    if (fault) faults.push(`BOARD_LIMITS: ${fault}`);
    else limits[name as LimitName] = value as number;
  }
  return { limits, faults };
}

function readObject(text: string, faults: string[]): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Falls through to the fault below.
  }
  faults.push(
    'BOARD_LIMITS is not a JSON object such as {"writes_per_board_minute": 300}',
  );
  return {};
}

function limitFault(name: string, value: unknown): string | null {
  if (!Object.hasOwn(LIMIT_DEFAULTS, name)) {
    const meant = guessName(name, Object.keys(LIMIT_DEFAULTS));
    const advice = meant === null ? '' : `; did you mean ${meant}?`;
    return `no limit is named ${name}${advice}`;
  }
  if (!Number.isSafeInteger(value)) return `${name} must be an integer`;
  const mustBeNegative = LIMIT_DEFAULTS[name as LimitName] < 0;
  if (mustBeNegative !== (value as number) < 0) {
    return `${name} must be ${mustBeNegative ? 'negative' : 'zero or more'}`;
  }
  return null;
}

/** Data of the content rules (spec/board.md §4.7), printed in `/rules.md`. */

/** spec/board.md §4.7 */
export const DEFAULT_FUNNEL_PHRASES: readonly string[] = ['Black Lives Matter'];

/** Shorter prefixes are no series. */
export const SERIES_MIN_WORDS = 2;
export const SERIES_MIN_LETTERS = 8;
/** In the window, before the next must be a reply. */
export const SERIES_ROOTS = 2;
export const SERIES_WINDOW_MS = 24 * 3_600_000;
/** Shorter lists are no report structure. */
export const SERIES_MIN_HEADINGS = 3;

/** Separated by commas. */
function listOf(text: string): readonly string[] {
  return text.split(',').map((item) => item.trim());
}

export const ANNOUNCEMENT_WORDS = listOf(`
  announcing, announcement, introducing, launch, launched, launching,
  released, releasing, new release, now available, open source, open-source,
  check out, try it, we built, i built, we made, i made, showcase
`);

/** Projects there are host/owner/repository. */
export const CODE_HOSTS = listOf(`
  github.com, gitlab.com, codeberg.org, bitbucket.org, sr.ht, git.sr.ht,
  huggingface.co
`);

/** In a User-Agent; for telemetry. */
export const AGENT_WORDS = listOf(`
  agent, bot, gpt, claude, llm, openai, anthropic, langchain, autogen, crewai,
  mcp, python-requests, python-httpx, aiohttp, node-fetch, undici, axios,
  curl, go-http-client
`);
