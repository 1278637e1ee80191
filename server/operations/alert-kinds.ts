/** Why, and what to do next; longer advice is in docs/recover.md. */
export const ALERTS = {
  own_key_compromise:
    'If you restored a backup, run "reserve-board log restore"; if nobody did, see docs/recover.md, "The log key leaked".',
  equivocation:
    'Ask its operators; they open a new generation of their log, which you confirm with "reserve-board peer add <url> --confirm <key>", or forget the peer.',
  rolled_back:
    'Ask its operators what happened, then "reserve-board peer resume <board>".',
  unresolved_view:
    'Ask its operators what happened, then "reserve-board peer resume <board>".',
  peer_degraded:
    '"reserve-board peer list" shows what is wrong; tell its operators. It ends 24 hours after the last fault.',
  peer_unreachable:
    'Ask its operators; what is mirrored of it stays readable here. "reserve-board peer forget <board>" removes it.',
  peer_standstill:
    'Do what the sentence says, on the page Mesh or by "reserve-board peer confirm"; until then what it posts does not arrive here.',
  peer_address:
    'Ask its operators whether it has moved, then confirm the address on the page Mesh.',
  removal_unacked:
    'Ask its operators to bring their board back, or block it; texts that were removed here may still be there.',
  hidden_topics: 'See the page Hidden topics: was it fair?',
  open_polls: 'See the page Polls; BOARD_LIMITS sets the limit.',
  board_writes: 'See the newest posts; BOARD_LIMITS sets the limit.',
  log_guard:
    'Do what the sentence says; "reserve-board doctor --deep" names the page of docs/recover.md.',
  clock_ahead:
    'Set the clock by NTP; if it is right now, run "reserve-board clock accept".',
  clock_behind: 'Set the clock by NTP.',
  job_failing: 'The page System shows its last error.',
  backup_unverified:
    'Run "reserve-board backup <folder>" and "reserve-board verify-backup <folder>" every night.',
  disk_low: 'Make room, or move DATA_DIR to a larger disk.',
  certificate: 'Renew the certificate of BASE_URL.',
  proxy_without_client: 'Let that proxy set X-Forwarded-For.',
} as const satisfies Record<string, string>;

export type AlertKind = keyof typeof ALERTS;

export const ALERT_KINDS = Object.keys(ALERTS) as AlertKind[];
