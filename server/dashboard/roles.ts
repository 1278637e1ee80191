/**
 * Roles, each with all the rights of those before it (spec/operators.md §1.5).
 */
export const ROLES = ['viewer', 'moderator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whom an action asks for; `anyone` needs no session. */
export type Least = 'anyone' | Role;

/**
 * What an action is reached by and what it asks for. `path` is below
 * `/admin/api`. `fresh`: the credential was given in the last ten minutes.
 */
export type ActionRule = {
  method: 'GET' | 'POST';
  path: string;
  least: Least;
  fresh: boolean;
};

type RouteText = `${ActionRule['method']} /${string}`;

function needs(least: Least, route: RouteText, more?: 'fresh'): ActionRule {
  const [method, path = ''] = route.split(' ') as [
    ActionRule['method'],
    string?,
  ];
  return { method, path, least, fresh: more === 'fresh' };
}

/**
 * Every action of operators: the only place where a right is given. Nothing
 * is mounted below `/admin/api` and no command is taken from a socket without
 * its line here, and the tests of the role matrix are made of this table.
 */
export const ACTIONS = {
  // Signing in (access/).
  'access.state': needs('anyone', 'GET /access'),
  'setup.look': needs('anyone', 'POST /setup/look'),
  'setup.passkey_options': needs('anyone', 'POST /setup/passkey/options'),
  'setup.passkey': needs('anyone', 'POST /setup/passkey'),
  'setup.totp': needs('anyone', 'POST /setup/totp'),
  'setup.passphrase': needs('anyone', 'POST /setup/passphrase'),
  'sign_in.passkey_options': needs('anyone', 'POST /sign-in/passkey/options'),
  'sign_in.passkey': needs('anyone', 'POST /sign-in/passkey'),
  'sign_in.passphrase': needs('anyone', 'POST /sign-in/passphrase'),
  'sign_in.recovery': needs('anyone', 'POST /sign-in/recovery'),

  // The own account (access/).
  'session.sign_out': needs('viewer', 'POST /sign-out'),
  'session.list': needs('viewer', 'GET /sessions'),
  'session.revoke': needs('viewer', 'POST /sessions/:id/revoke'),
  'session.revoke_others': needs('viewer', 'POST /sessions/revoke-others'),
  'step_up.passkey_options': needs('viewer', 'POST /step-up/passkey/options'),
  'step_up.passkey': needs('viewer', 'POST /step-up/passkey'),
  'step_up.passphrase': needs('viewer', 'POST /step-up/passphrase'),
  'credential.list': needs('viewer', 'GET /credentials'),
  'credential.passkey_options': needs(
    'viewer',
    'POST /credentials/passkey/options',
    'fresh',
  ),
  'credential.passkey': needs('viewer', 'POST /credentials/passkey', 'fresh'),
  'credential.remove_passkey': needs(
    'viewer',
    'POST /credentials/passkey/:id/remove',
    'fresh',
  ),
  'credential.totp': needs('viewer', 'POST /credentials/totp', 'fresh'),
  'credential.passphrase': needs(
    'viewer',
    'POST /credentials/passphrase',
    'fresh',
  ),
  'credential.recovery': needs('viewer', 'POST /credentials/recovery', 'fresh'),
  'account.alias': needs('viewer', 'POST /account/alias', 'fresh'),

  // Other accounts and the trail (access/): a viewer reads everything but
  // reporters' texts, which stand in neither.
  'operator.list': needs('viewer', 'GET /operators'),
  'operator.invite': needs('admin', 'POST /operators/invite', 'fresh'),
  'operator.cancel_invite': needs(
    'admin',
    'POST /operators/invites/:name/cancel',
    'fresh',
  ),
  'operator.sessions': needs('viewer', 'GET /operators/:id/sessions'),
  'operator.revoke_session': needs(
    'admin',
    'POST /operators/:id/sessions/:session/revoke',
    'fresh',
  ),
  'operator.role': needs('admin', 'POST /operators/:id/role', 'fresh'),
  'operator.disable': needs('admin', 'POST /operators/:id/disable', 'fresh'),
  'operator.enable': needs('admin', 'POST /operators/:id/enable', 'fresh'),
  'operator.sign_out': needs('admin', 'POST /operators/:id/sign-out', 'fresh'),
  'audit.list': needs('viewer', 'GET /audit'),
  'audit.check': needs('viewer', 'GET /audit/check'),
  'audit.export': needs('viewer', 'GET /audit/export'),
  // The work (actions/); exports are files.
  'overview.read': needs('viewer', 'POST /do/overview.read'),
  'overview.chart': needs('viewer', 'POST /do/overview.chart'),
  'history.lag': needs('viewer', 'POST /do/history.lag'),
  'history.list': needs('viewer', 'POST /do/history.list'),
  'queue.list': needs('viewer', 'POST /do/queue.list'),
  'item.read': needs('viewer', 'POST /do/item.read'),
  'hidden.list': needs('viewer', 'POST /do/hidden.list'),
  'decision.list': needs('viewer', 'POST /do/decision.list'),
  'decision.export': needs('viewer', 'GET /do/decisions'),
  'decision.preview': needs('moderator', 'POST /do/decision.preview'),
  'decision.record': needs('moderator', 'POST /do/decision.record'),
  'subject.claim': needs('moderator', 'POST /do/subject.claim'),
  'subject.unclaim': needs('moderator', 'POST /do/subject.unclaim'),
  'report.list': needs('viewer', 'POST /do/report.list'),
  'report.settle': needs('moderator', 'POST /do/report.settle'),
  'poll.list': needs('viewer', 'POST /do/poll.list'),
  'usefulness.list': needs('viewer', 'POST /do/usefulness.list'),
  'usefulness.export': needs('viewer', 'GET /do/usefulness/:id'),
  'usefulness.draft': needs('moderator', 'POST /do/usefulness.draft'),
  'usefulness.preview': needs('moderator', 'POST /do/usefulness.preview'),
  'usefulness.publish': needs('admin', 'POST /do/usefulness.publish'),
  'template.list': needs('viewer', 'POST /do/template.list'),
  'template.save': needs('moderator', 'POST /do/template.save'),
  'template.remove': needs('moderator', 'POST /do/template.remove'),
  'view.list': needs('viewer', 'POST /do/view.list'),
  'view.save': needs('viewer', 'POST /do/view.save'),
  'view.remove': needs('viewer', 'POST /do/view.remove'),
  'system.read': needs('viewer', 'POST /do/system.read'),
  'peer.list': needs('viewer', 'POST /do/peer.list'),
  'peer.read': needs('viewer', 'POST /do/peer.read'),
  'peer.add': needs('admin', 'POST /do/peer.add', 'fresh'),
  'peer.confirm': needs('admin', 'POST /do/peer.confirm', 'fresh'),
  'peer.trust': needs('admin', 'POST /do/peer.trust', 'fresh'),
  'peer.limits': needs('admin', 'POST /do/peer.limits', 'fresh'),
  'peer.pause': needs('admin', 'POST /do/peer.pause', 'fresh'),
  'peer.resume': needs('admin', 'POST /do/peer.resume', 'fresh'),
  'peer.block': needs('admin', 'POST /do/peer.block', 'fresh'),
  'peer.hide': needs('admin', 'POST /do/peer.hide', 'fresh'),
  'peer.policy_export': needs('admin', 'POST /do/peer.policy_export'),
  'peer.policy_import': needs('admin', 'POST /do/peer.policy_import', 'fresh'),
} as const satisfies Record<string, ActionRule>;

export type ActionName = keyof typeof ACTIONS;

/** Whether a role includes another's rights. */
export function reaches(role: Role, least: Least): boolean {
  return least === 'anyone' || ROLES.indexOf(role) >= ROLES.indexOf(least);
}
