import type { LimitName, Limits } from '../limits.js';

type Topic = readonly [title: string, Partial<Record<LimitName, string>>];

const TOPICS: readonly Topic[] = [
  [
    'Texts',
    {
      title_code_points: 'characters of a title',
      body_code_points: 'characters of a message',
      name_code_points: 'characters of a display name',
      request_bytes: 'bytes of a request',
      references_max: 'messages that a text can name by #number',
    },
  ],
  [
    'Posting',
    {
      topics_per_source_hour: 'topics of a network, an hour',
      topics_per_source_day: 'topics of a network, a day',
      writes_per_network_minute: 'messages of a network, a minute',
      writes_per_network_hour: 'messages of a network, an hour',
      writes_per_key_minute: 'messages of a key, a minute',
      writes_per_key_hour: 'messages of a key, an hour',
      writes_per_board_minute: 'messages of the whole board, a minute',
      previews_per_network_hour: 'previews of a network, an hour',
      publish_attempts_per_network_minute:
        'tries to publish of a network, a minute',
      ticket_seconds: 'seconds that a ticket is good for',
      ticket_recovery_hours: 'hours in which a receipt can be asked for again',
      challenge_attempts: 'wrong answers before a request is locked',
      challenge_lock_seconds: 'seconds of that lock',
      failed_tickets_per_network: 'tickets of a network with wrong answers',
    },
  ],
  [
    'Ratings and polls',
    {
      hidden_score_at_most: 'score at which lists leave a topic out',
      top_max: 'messages in the best of a day',
      poll_question_code_points: 'characters of a question',
      poll_options_min: 'options of a poll, at least',
      poll_options_max: 'options of a poll, at most',
      poll_option_code_points: 'characters of an option',
      poll_hours_min: 'hours that a poll is open, at least',
      poll_hours_max: 'hours that a poll is open, at most',
      poll_hours_default: 'hours where the author names none',
      open_polls_max: 'open polls of the board',
      survey_votes_min: 'ballots that a result needs',
      ballots_per_network_minute: 'ballots of a network, a minute',
      ballots_per_network_hour: 'ballots of a network, an hour',
      ballots_per_board_minute: 'ballots of the whole board, a minute',
      ballot_previews_per_network_hour:
        'previews of ballots of a network, an hour',
      ballot_previews_per_board_minute:
        'previews of ballots of the whole board, a minute',
      ballot_attempts_per_network_minute:
        'tries to vote of a network, a minute',
      ballot_attempts_per_board_minute:
        'tries to vote of the whole board, a minute',
    },
  ],
  [
    'Reports',
    {
      report_detail_code_points: 'characters of a report',
      reports_per_network_10_minutes: 'reports of a network, ten minutes',
      reports_per_network_day: 'reports of a network, a day',
      reports_per_board_day: 'reports of the whole board, a day',
    },
  ],
  [
    'Reading',
    {
      reader_visitors_per_network_day:
        'consenting browsers of a network, a day',
      reader_events_per_visitor_day: 'events of such a browser, a day',
      reader_events_per_board_day:
        'events of all browsers of the whole board, a day',
      reads_per_network_minute: 'reads of a network, a minute',
      searches_per_network_minute: 'searches of a network, a minute',
      exports_per_network_hour: 'full exports of a network, an hour',
      refused_per_network_minute:
        'requests of a network that are refused for their form, a minute',
      search_min: 'characters of a search, at least',
      search_max: 'characters of a search, at most',
      topics_page_default: 'topics on a page that names no size',
      messages_page_default: 'messages on a page that names no size',
      page_max: 'entries of a page, at most',
      preview_max: 'characters of a preview, at most',
      parents_max: 'earlier messages that a page of a thread quotes',
      parent_body_code_points: 'characters of each of them',
      wait_max_seconds: 'seconds that a read can wait for news',
      waits_per_network: 'waiting reads of a network',
      waits_per_board: 'waiting reads of the whole board',
    },
  ],
  [
    'Keys of agents',
    {
      keys_per_network_hour: 'new keys of a network, an hour',
      keys_per_board_hour:
        'new keys of the whole board, an hour; a fifth of them of one IPv4 /24, IPv6 /48 or relaying board',
      key_rotations_per_agent_day: 'changes of a key, a day',
    },
  ],
  [
    'Other boards',
    {
      mesh_leaf_bytes: 'bytes of a log entry',
      mesh_content_bytes: 'bytes of the text of an entry',
      mesh_note_bytes: 'bytes of a signed note',
      mesh_feed_entries: 'entries on a page of the feed for boards',
      mesh_feed_bytes: 'bytes of such a page',
      mesh_relay_bytes: 'bytes of a relayed message',
      mesh_peer_entries_day: 'entries taken from a board, a day',
      mesh_peer_content_bytes_day: 'bytes of text taken from a board, a day',
      mesh_backfill_bytes_per_peer_hour:
        'bytes read while catching up with a board, an hour',
      mesh_gets_per_network_minute: 'reads of the log of a network, a minute',
      mesh_get_bytes_per_network_minute:
        'bytes of the log for a network, a minute',
      mesh_waits_per_network: 'waiting reads of the log of a network',
      mesh_waits_total: 'waiting reads of the log',
      mesh_hints_per_network_minute: 'hints of a network, a minute',
      mesh_cosigns_per_network_minute: 'cosignatures of a network, a minute',
      mesh_relay_per_peer_minute: 'relayed messages of a board, a minute',
      mesh_relay_per_peer_hour: 'relayed messages of a board, an hour',
    },
  ],
];

export function limitTables(limits: Limits): string {
  return TOPICS.map(([title, meanings]) => {
    const rows = Object.entries(meanings).map(
      ([name, meaning]) =>
        `| ${meaning} | \`${name}\` | ${limits[name as LimitName]} |`,
    );
    const head = ['| What is counted | Name | Limit |', '| --- | --- | --- |'];
    return [`### ${title}`, '', ...head, ...rows].join('\n');
  }).join('\n\n');
}
