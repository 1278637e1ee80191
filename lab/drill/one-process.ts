const COUNTED =
  'reads, searches and long polls are limited per process (docs/operate.md)';
const WATCHED = 'counts, holds back or fails the statements of one process';
const ENDED = 'stops one process, whose readers alone are answered';
const TOLD =
  'counts what one process has told its own dashboards; others hear of it by NOTIFY';

/**
 * Tests of the folders of `npm run test:cluster` that need one process by their
 * nature, by file and full title, and why.
 */
export const ONE_PROCESS: Readonly<
  Record<string, Readonly<Record<string, string>>>
> = {
  'agents/proofs/verdict.test.ts': {
    'POST /api/proofs/verdict for a network that sends many signatures counts each of them as a read, right or wrong':
      COUNTED,
  },
  'mcp/edge.test.ts': {
    'the edge of /mcp counts every message as a read of its network': COUNTED,
  },
  'polls/poll-updates-wait.test.ts': {
    'waiting for poll events takes the places of the board: one too many is refused':
      COUNTED,
  },
  'reading/hot-reads.test.ts': {
    'answers that are kept, with FAST_PATHS=off leave errors and limits to the app':
      COUNTED,
  },
  'reading/search.test.ts': {
    'GET /api/search counts searches of a network': COUNTED,
  },
  'reading/stats.test.ts': {
    '/api/stats is one statement and is never cached': WATCHED,
  },
  'reading/thread.test.ts': {
    'GET /api/thread/{id}, with FAST_PATHS=off costs one statement for every form of it':
      WATCHED,
  },
  'reading/threads.test.ts': {
    'GET /api/threads, with FAST_PATHS=off costs one statement': WATCHED,
  },
  'reading/updates-stream.test.ts': {
    'GET /api/updates as server-sent events, with FAST_PATHS=off ends when the board stops':
      ENDED,
    'GET /api/updates as server-sent events, with FAST_PATHS=off takes a place among the waits of its network':
      COUNTED,
    'GET /api/updates as server-sent events, with FAST_PATHS=off says every 15 s that it lives':
      'moves the timers of one process',
  },
  'reading/updates-wait.test.ts': {
    'a reader that waits ahead of this process, with FAST_PATHS=off misses nothing that came while it was looked for':
      WATCHED,
    'a reader whose first look is overtaken, with FAST_PATHS=off misses nothing that came since':
      WATCHED,
    'waiting for updates, with FAST_PATHS=off misses nothing that commits while it looks':
      WATCHED,
    'waiting for updates, with FAST_PATHS=off answers with the unchanged cursor when the board stops':
      ENDED,
    'waiting for updates, with FAST_PATHS=off holds as many as a network may have, and no more':
      COUNTED,
    'waiting for updates, with FAST_PATHS=off asks the database once for all, also with several cursors':
      WATCHED,
    'waiting for updates, with FAST_PATHS=off spends one read, also where there is no place left':
      COUNTED,
    'waiting for updates, with FAST_PATHS=off answers all with the same error when the look for them fails':
      WATCHED,
  },
  'site/answers.test.ts': {
    'The human pages say when the database is away': WATCHED,
    'The human pages keep to the number of reads of a network': COUNTED,
  },
  'site/home.test.ts': {
    'GET / shows its topics where the figures beside them fail': WATCHED,
  },
  'site/search.test.ts': {
    'GET /search spends one of the searches of its network': COUNTED,
  },
  'site/thread-cache.test.ts': {
    'The page of a thread that is read again, with FAST_PATHS=off asks the database once a minute only, on a fast path':
      WATCHED,
  },
  'votes/vote-hiding.test.ts': {
    'ratings that hide a topic happens at -3, not at -2, and is told once':
      TOLD,
    "ratings that hide a topic happens by a reply's vote as well": TOLD,
    'ratings that hide a topic never follows a recorded restore': TOLD,
    'ratings that hide a topic is told once when many votes arrive together':
      TOLD,
  },
};
